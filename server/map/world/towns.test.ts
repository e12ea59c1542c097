import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRiversAndLakes, readSeaAndBorders } from './shapes.ts'
import { readTowns } from './towns.ts'

test('Romanian towns have their letters, the largest are seen from afar, and none is there twice', async () => {
  const towns = (await readTowns()).map(({ properties, geometry }) => ({ ...properties, at: geometry.coordinates }))
  const named = (name: string) => towns.filter((town) => town.name === name)
  for (const name of ['București', 'Iași', 'Timișoara', 'Constanța', 'Chișinău'])
    assert.ok(
      named(name).some(({ min_zoom }) => min_zoom <= 5),
      name,
    )
  assert.ok(named('Pitești').every(({ min_zoom }) => min_zoom === 6))
  const { at: capital = [] } = named('București')[0] ?? {}
  const near = towns.filter(({ name, at }) => /^Buc[uh]/.test(name) && Math.abs((at[1] ?? 0) - (capital[1] ?? 0)) < 0.1)
  assert.equal(near.filter(({ at }) => Math.abs((at[0] ?? 0) - (capital[0] ?? 0)) < 0.1).length, 1)
})

test('the world has a sea around its land, borders, rivers and lakes', async () => {
  const { sea, borders } = await readSeaAndBorders()
  assert.equal(sea.geometry.type, 'MultiPolygon')
  assert.equal(borders.geometry.type, 'MultiLineString')
  const kinds = Map.groupBy(await readRiversAndLakes(), ({ properties }) => properties?.['kind'])
  assert.ok((kinds.get('river')?.length ?? 0) > 200 && (kinds.get('lake')?.length ?? 0) > 200)
})
