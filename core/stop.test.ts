import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfStop, numberStops, serviceSecondsOf, stopsOf } from './stop.ts'

/** A task this many metres north of a place. */
const at = (name: string, metres: number, address = '') => ({
  name,
  lat: 44.43 + metres / 111_195,
  lng: 26.1,
  address,
  city: 'Brașov',
})
const nowhere = (name: string, address = '', city = 'Brașov') => ({ name, lat: null, lng: null, address, city })
const inTown = (name: string, address = '') => ({ ...at(name, 0, address), precision: 'approximate' })
const named = (route: ReturnType<typeof at | typeof nowhere>[]) =>
  stopsOf(route, (task) => task).map((stop) => stop.map(({ name }) => name).join(''))

test('tasks within 25 m of each other that follow each other are one stop', () => {
  assert.deepEqual(named([]), [])
  assert.deepEqual(named([at('A', 0), at('B', 24), at('C', 200)]), ['AB', 'C'])
  assert.deepEqual(named([at('A', 0), at('B', 26)]), ['A', 'B'])
  assert.deepEqual(named([at('A', 0), at('B', 500), at('C', 0)]), ['A', 'B', 'C'], 'the driver comes there twice')
})

test('a street of houses is not one stop', () => {
  assert.deepEqual(named([at('A', 0), at('B', 20), at('C', 40), at('D', 60)]), ['AB', 'CD'])
})

test('nobody knows whether tasks without a place are together', () => {
  assert.deepEqual(named([nowhere('A'), nowhere('B'), at('C', 0), at('D', 0), nowhere('E')]), ['A', 'B', 'CD', 'E'])
  assert.deepEqual(named([inTown('A'), inTown('B')]), ['A', 'B'])
})

test('where the place is not known exactly, the same address is one stop', () => {
  const [text, other] = ['Str. Lungă 5', 'str. lungă  5']
  assert.deepEqual(named([nowhere('A', text), nowhere('B', other), nowhere('C', 'Str. Lungă 7')]), ['AB', 'C'])
  assert.deepEqual(named([nowhere('A', text), nowhere('B', text, 'Sibiu')]), ['A', 'B'], 'in another town')
  assert.deepEqual(named([at('A', 0, text), inTown('B', text), nowhere('C', text)]), ['ABC'])
  assert.deepEqual(named([nowhere('A', 'Str. Lungă'), nowhere('B', 'Str. Lungă')]), ['A', 'B'], 'a street is long')
  assert.deepEqual(named([at('A', 0, text), at('B', 90, text)]), ['A', 'B'], 'somebody knows better')
})

test('a stop takes as long as its longest parcel, and a minute for each other one', () => {
  assert.equal(serviceSecondsOf([]), 0)
  assert.equal(serviceSecondsOf([300]), 300)
  assert.equal(serviceSecondsOf([300, 120, 300]), 420)
  assert.equal(serviceSecondsOf([0, 0]), 60)
})

test('a parcel that cannot be handed over yet is waited for', () => {
  const minutes = (...parcels: [start: number, service: number][]) =>
    endOfStop(parcels.map(([start, service]) => ({ start: start * 60, serviceSeconds: service * 60 })))
  assert.equal(endOfStop([]), undefined)
  assert.equal(minutes([0, 5]), 300)
  assert.equal(minutes([0, 5], [0, 2], [0, 5]), 420)
  assert.equal(minutes([0, 2], [0, 5]), 360)
  assert.equal(minutes([0, 5], [30, 5]), 2100)
})

test('neighbours at one door have one number', () => {
  const task = (id: number, metres: number) => ({ id, address: at('', metres) })
  assert.deepEqual(
    [...numberStops([task(11, 0), task(12, 5), task(13, 300)])],
    [
      [11, 1],
      [12, 1],
      [13, 2],
    ],
  )
})
