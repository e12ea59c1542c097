import assert from 'node:assert/strict'
import { test } from 'node:test'
import { devices } from 'playwright-core'
import { appsOn, linkTo } from './navigation.ts'

const iPhone = devices['iPhone 15'].userAgent
const android = devices['Pixel 7'].userAgent

const to = (lat: number | null, lng: number | null) => {
  const address = { address: 'Str. Gării 1 & 3, Iași', lat, lng } as Parameters<typeof linkTo>[0]['address']
  return Object.fromEntries(appsOn(iPhone).map((app) => [app, linkTo({ address }, app)]))
}

test('a driver navigates to the place of a task', () => {
  assert.deepEqual(to(47.16, -0.5), {
    'Google Maps': 'https://www.google.com/maps/dir/?api=1&destination=47.16,-0.5',
    Waze: 'https://waze.com/ul?ll=47.16,-0.5&navigate=yes',
    'Apple Maps': 'https://maps.apple.com/?daddr=47.16,-0.5',
    'geo:': 'geo:47.16,-0.5?q=47.16,-0.5',
  })
})

test('without a place a driver navigates to the address, whatever is written in it', () => {
  for (const link of Object.values(to(null, null))) {
    const { searchParams } = new URL(link)
    const [asked] = ['destination', 'q', 'daddr'].flatMap((name) => searchParams.getAll(name))
    assert.equal(asked, 'Str. Gării 1 & 3, Iași')
  }
})

test('the maps of Apple are offered on its devices only', () => {
  assert.deepEqual(appsOn(android), ['Google Maps', 'Waze', 'geo:'])
  assert.deepEqual(appsOn(iPhone), ['Google Maps', 'Waze', 'Apple Maps', 'geo:'])
})
