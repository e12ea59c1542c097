import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberStops, stopsOf } from './stop.ts'

/** A task this many metres north of a place. */
const at = (name: string, metres: number) => ({ name, lat: 44.43 + metres / 111_195, lng: 26.1 })
const nowhere = (name: string) => ({ name, lat: null, lng: null })
const inTown = (name: string) => ({ ...at(name, 0), precision: 'approximate' })
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
