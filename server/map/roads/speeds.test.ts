import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Transport } from '../../../core/travel.ts'
import { cleanUpOf } from '../../test/clean-up.ts'
import { drawBlock } from '../../test/drawn-roads.ts'
import type { Tags } from '../extract/elements.ts'
import { readDuration, readSpeed } from './net/limits.ts'
import { profiles } from './profiles.ts'
import { ourSpeeds, type SpeedField } from './speeds.ts'
import { readSpeeds, readSpeedsFile } from './speeds-file.ts'

test('speed limits are read in the units of their country, and by what their signs stand for', () => {
  const cases: [text: string, kmh: number | undefined][] = [
    ['50', 50],
    ['50 km/h', 50],
    ['30 mph', 48.27],
    ['30mph', 48.27],
    ['RO:urban', 50],
    ['RO:rural', 90],
    ['RO:trunk', 100],
    ['RO:motorway', 130],
    ['RO:living_street', 20],
    ['DE:rural', 100],
    ['DE:zone:30', 30],
    ['RO:zone30', 30],
    ['GB:nsl_single', 97],
    ['50;30', 30],
    ['walk', 7],
    ['none', undefined],
    ['signals', undefined],
    ['fast', undefined],
    ['0', undefined],
    ['', undefined],
  ]
  for (const [text, kmh] of cases) {
    const read = readSpeed(text)
    assert.equal(read === undefined ? undefined : Math.round(read * 100) / 100, kmh, text)
  }
})

test('the duration of a ferry is read as clock, as ISO or as minutes', () => {
  for (const [text, seconds] of [
    ['00:20', 1_200],
    ['01:30:30', 5_430],
    ['PT1H5M', 3_900],
    ['45', 2_700],
    ['00:00', undefined],
    ['soon', undefined],
  ] as const)
    assert.equal(readDuration(text), seconds, text)
})

test('a street is driven as its class, its limit, its surface and the vehicle allow', async (t) => {
  const { car, bicycle, truck, foot } = ourSpeeds
  const cases: [tags: Tags, profile: Transport, east: number, west?: number][] = [
    [{}, 'car', car.residential],
    [{ highway: 'tertiary' }, 'car', car.tertiary],
    [{ maxspeed: '30' }, 'car', 30 * car.limitShare],
    [{ maxspeed: '20 mph' }, 'car', 32.18 * car.limitShare],
    [{ maxspeed: '90' }, 'car', car.residential * car.overClass],
    [{ maxspeed: 'RO:urban' }, 'car', car.residential],
    [{ maxspeed: '50' }, 'car', car.residential * car.overClass],
    [{ 'zone:maxspeed': 'DE:20' }, 'car', 20 * car.limitShare],
    [{ highway: 'primary', maxspeed: 'RO:urban' }, 'car', 50 * car.limitShare],
    [{ highway: 'primary', maxspeed: 'RO:rural' }, 'car', car.primary * car.overClass],
    [{ highway: 'primary', 'source:maxspeed': 'RO:urban' }, 'car', 50 * car.limitShare],
    [
      { highway: 'primary', 'maxspeed:forward': '50', 'maxspeed:backward': '30' },
      'car',
      50 * car.limitShare,
      30 * car.limitShare,
    ],
    [{ highway: 'primary', maxspeed: '50', 'maxspeed:hgv': '30' }, 'truck', 30 * truck.limitShare],
    [{ highway: 'primary', maxspeed: '50', 'maxspeed:hgv': '30' }, 'car', 50 * car.limitShare],
    [{ highway: 'motorway', oneway: 'no', maxspeed: '130' }, 'truck', truck.most],
    [{ maxspeed: 'none' }, 'car', car.residential],
    [{ surface: 'sett' }, 'car', car.residential * car.rough],
    [{ surface: 'gravel' }, 'car', car.residential * car.gravel],
    [{ surface: 'mud' }, 'car', car.residential * car.soft],
    [{ surface: 'asphalt', smoothness: 'bad' }, 'car', car.residential * car.gravel],
    [{ surface: 'concrete:plates' }, 'car', car.residential],
    [{ maxspeed: '10' }, 'bicycle', 10],
    [{ maxspeed: '50' }, 'bicycle', bicycle.residential],
    [{ bicycle: 'dismount' }, 'bicycle', 4],
    [{ maxspeed: '3' }, 'foot', 3],
    [{ highway: 'steps' }, 'foot', foot.steps],
  ]
  for (const [tags, profile, east, west = east] of cases) {
    const roads = await drawBlock(tags).open(t)
    for (const [from, to, kmh] of [
      [100, 300, east],
      [300, 100, west],
    ] as const) {
      const seconds = roads.seconds(profile, [from, 200], [to, 200]) as number
      const wanted = (200 / kmh) * 3.6
      assert.ok(
        Math.abs(seconds / wanted - 1) < 0.02,
        `${profile} ${JSON.stringify(tags)}: ${seconds} s, not ${wanted}`,
      )
    }
  }
})

test('an operator sets other speeds in a file, and what it does not name stays', async (t) => {
  const path = join(tmpdir(), `waybill-speeds-${process.pid}.json`)
  await writeFile(path, '{ "car": { "residential": 15, "lightSeconds": 12 }, "side": "left" }')
  cleanUpOf(t).defer(() => writeFile(path, ''))
  const given = await readSpeedsFile(path)
  assert.deepEqual([given.speeds.side, given.speeds.car.residential, given.speeds.car.lightSeconds], ['left', 15, 12])
  assert.equal(given.speeds.car.primary, ourSpeeds.car.primary)
  assert.deepEqual(given.speeds.van, ourSpeeds.van)
  const roads = await drawBlock().open(t, { speeds: given })
  assert.ok(Math.abs((roads.seconds('car', [100, 200], [300, 200]) as number) - 48) < 1)
  assert.equal(roads.made.speedsFrom, given.from)
  assert.equal((await drawBlock().open(t)).made.speedsFrom, undefined)
})

test('a file of speeds that says something wrong is refused in a sentence', async () => {
  for (const [text, says] of [
    ['fast', /^The file of speeds my\.json must be JSON such as \{"car": \{"residential": 25\}\}$/],
    ['[]', /must be JSON such as/],
    ['{"tram": {}}', /has "tram", which is none of side, foot, bicycle, motorcycle, car, van, truck$/],
    ['{"car": 50}', /must have speeds for car, such as \{"residential": 25\}, not 50$/],
    ['{"car": {"boulevard": 50}}', /has "car\.boulevard", which is none of motorway, .*, heightMetres$/],
    ['{"car": {"toString": 50}}', /has "car\.toString"/],
    ['{"car": {"primary": "50"}}', /must have a number from 1 to 200 \(km\/h\) for car\.primary, not "50"$/],
    ['{"car": {"primary": 0}}', /must have a number from 1 to 200/],
    ['{"car": {"soft": 2}}', /must have a number from 0\.1 to 1 for car\.soft, not 2$/],
    ['{"truck": {"tonnes": null}}', /must have a number from 0\.05 to 100 \(tonnes\) for truck\.tonnes, not null$/],
    ['{"side": "middle"}', /must have "right" or "left" for side, not "middle"$/],
  ] as const)
    assert.throws(() => readSpeeds(text, 'my.json'), { name: 'SpeedsRefusal', message: says }, text)
  await assert.rejects(readSpeedsFile('/nowhere/my.json'), {
    message: 'The file of speeds /nowhere/my.json cannot be read (ENOENT)',
  })
})

test('our own speeds would be taken from a file, too', () => {
  assert.deepEqual(readSpeeds(JSON.stringify(ourSpeeds), 'ours'), ourSpeeds)
  for (const profile of profiles)
    for (const field of Object.keys(ourSpeeds.car)) assert.ok(ourSpeeds[profile][field as SpeedField] >= 0, field)
})
