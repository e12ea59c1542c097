import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insideOf, type Place, pinOf, rounded, tellPlace } from './place.ts'

const place = {
  address: 'Strada Lipscani 12, București',
  streetName: 'Strada Lipscani',
  streetNumber: '12',
  postalCode: null,
  city: 'București',
  area: null,
  country: 'RO',
  lat: 44.4317,
  lng: 26.1015,
  precision: 'exact',
  precisionDetail: 'house',
  source: 'register',
} as Place

test('a suggestion says if it is less than a house, or an address from before', () => {
  assert.equal(tellPlace(place), undefined)
  assert.equal(tellPlace({ ...place, source: 'history', precisionDetail: null }), 'knownPlace')
  assert.equal(tellPlace({ ...place, precisionDetail: 'street' }), 'streetOnly')
  assert.equal(tellPlace({ ...place, precisionDetail: 'city' }), 'cityOnly')
  assert.equal(pinOf({ ...place, precision: 'approximate' }).isRough, true)
  assert.deepEqual(rounded({ lat: 44.43171234, lng: 26.10150049 }), { lat: 44.431712, lng: 26.1015 })
})

test('what was typed of block, staircase and flat is kept when a house is chosen', () => {
  assert.equal(insideOf('str lipscani 12, bl. 3 sc. B, ap 9, bucuresti'), 'bl. 3, sc. B, ap 9')
  assert.equal(insideOf('Strada Apelor 12'), '')
})
