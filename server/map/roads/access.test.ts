import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transport } from '../../../core/travel.ts'
import { drawBlock, drawRoads, east, middle, west } from '../../test/drawn-roads.ts'
import type { Tags } from '../extract/elements.ts'
import { profiles } from './profiles.ts'

const motors: readonly Transport[] = ['motorcycle', 'car', 'van', 'truck']
const others = (list: readonly Transport[]) => profiles.filter((profile) => !list.includes(profile))

test('who may use a street passes, and the others go around', async (t) => {
  const cases: [tags: Tags, whoPasses: readonly Transport[]][] = [
    [{}, profiles],
    [{ access: 'no' }, []],
    [{ access: 'no', foot: 'yes', bicycle: 'yes' }, ['foot', 'bicycle']],
    [{ vehicle: 'no' }, ['foot']],
    [{ motor_vehicle: 'no' }, ['foot', 'bicycle']],
    [{ motor_vehicle: 'no', motorcycle: 'yes' }, ['foot', 'bicycle', 'motorcycle']],
    [{ motorcar: 'no' }, others(['car', 'van'])],
    [{ hgv: 'no' }, others(['truck'])],
    [{ goods: 'no' }, others(['van'])],
    [{ foot: 'no' }, others(['foot'])],
    [{ bicycle: 'no' }, others(['bicycle'])],
    [{ motor_vehicle: 'agricultural' }, ['foot', 'bicycle']],
    [{ access: 'permissive' }, profiles],
    [{ access: 'private' }, []],
    [{ access: 'destination' }, ['foot']],
    [{ motor_vehicle: 'delivery' }, ['foot', 'bicycle']],
    [{ vehicle: 'customers' }, ['foot']],
    [{ hgv: 'destination' }, others(['truck'])],
    [{ highway: 'motorway', oneway: 'no' }, motors],
    [{ highway: 'trunk', motorroad: 'yes' }, motors],
    [{ highway: 'track' }, ['foot', 'bicycle']],
    [{ highway: 'service', service: 'parking_aisle' }, ['foot', 'bicycle']],
    [{ highway: 'construction' }, []],
    [{ highway: 'proposed' }, []],
    [{ smoothness: 'impassable' }, ['foot', 'bicycle']],
    [{ maxweight: '7.5' }, others(['truck'])],
    [{ maxweight: '3 t' }, others(['van', 'truck'])],
    [{ maxweight: '3500 kg' }, others(['truck'])],
    [{ maxheight: '3.2' }, others(['truck'])],
    [{ maxheight: `8'0"` }, others(['van', 'truck'])],
    [{ maxheight: 'default' }, profiles],
  ]
  for (const [tags, whoPasses] of cases) {
    const roads = await drawBlock(tags).open(t)
    for (const profile of profiles) {
      const metres = roads.metres(profile, west, east)
      assert.equal(metres, whoPasses.includes(profile) ? 440 : 760, `${profile}, ${JSON.stringify(tags)}`)
    }
  }
})

test('on ways for those on foot or on bicycles nobody else is put', async (t) => {
  const cases: [tags: Tags, who: readonly Transport[]][] = [
    [{ highway: 'footway' }, ['foot']],
    [{ highway: 'footway', bicycle: 'yes' }, ['foot', 'bicycle']],
    [{ highway: 'footway', access: 'yes' }, ['foot']],
    [{ highway: 'cycleway' }, ['foot', 'bicycle']],
    [{ highway: 'path' }, ['foot', 'bicycle']],
    [{ highway: 'pedestrian' }, ['foot', 'bicycle']],
    [{ highway: 'pedestrian', motor_vehicle: 'yes' }, profiles],
    [{ highway: 'pedestrian', area: 'yes' }, ['foot']],
    [{ highway: 'steps' }, ['foot']],
    [{ highway: 'service' }, profiles],
    [{ highway: 'track' }, others(['truck'])],
    [{ highway: 'track', tracktype: 'grade5' }, ['foot', 'bicycle']],
    [{ highway: 'elevator' }, []],
    [{ railway: 'tram' }, []],
  ]
  for (const [tags, who] of cases) {
    const roads = await drawBlock({ highway: '', ...tags }).open(t)
    for (const profile of profiles)
      assert.equal(
        Math.round(roads.spot(profile, middle)?.walkMetres ?? -1),
        who.includes(profile) ? 0 : 200,
        `${profile}, ${JSON.stringify(tags)}`,
      )
  }
})

test('what is for residents, deliveries or customers, or private, is entered to get to an address there, and left again', async (t) => {
  for (const value of ['destination', 'delivery', 'customers', 'private']) {
    const roads = await drawBlock({ access: value }).open(t)
    for (const profile of profiles) {
      assert.equal(roads.metres(profile, west, middle), 220, `${profile} to ${value}`)
      assert.equal(roads.metres(profile, middle, west), 220, `${profile} from ${value}`)
      assert.equal(roads.metres(profile, [150, 200], [250, 200]), 100, `${profile} within ${value}`)
    }
  }
})

test('a way that begins and ends on different private roads does not pass a third one', async (t) => {
  const paper = drawBlock({ access: 'private' })
  const yard = (east: number) =>
    paper.road(
      [
        [east, 0],
        [east, -100],
      ],
      { access: 'private' },
    )
  // They meet the southern street where it has a corner.
  yard(0)
  yard(400)
  const roads = await paper.open(t)
  assert.equal(roads.metres('car', [0, -50], [400, -50]), 500)
  assert.equal(roads.metres('foot', [0, -50], [400, -50]), 500)
  assert.equal(roads.metres('car', [0, -50], [200, 200]), 450)
})

test('one-way streets are driven one way, and walked both', async (t) => {
  const cases: [tags: Tags, eastward: readonly Transport[], westward: readonly Transport[]][] = [
    [{ oneway: 'yes' }, profiles, ['foot']],
    [{ oneway: '-1' }, ['foot'], profiles],
    [{ oneway: 'no' }, profiles, profiles],
    [{ oneway: 'reversible' }, ['foot'], ['foot']],
    [{ oneway: 'yes', 'oneway:bicycle': 'no' }, profiles, ['foot', 'bicycle']],
    [{ oneway: 'yes', cycleway: 'opposite' }, profiles, ['foot', 'bicycle']],
    [{ oneway: 'yes', 'cycleway:left': 'opposite_lane' }, profiles, ['foot', 'bicycle']],
    [{ oneway: 'yes', 'cycleway:left': 'lane', 'cycleway:left:oneway': '-1' }, profiles, ['foot', 'bicycle']],
    [{ 'oneway:bicycle': 'yes' }, profiles, others(['bicycle'])],
    [{ highway: 'motorway' }, motors, []],
    [{ highway: 'motorway', oneway: 'no' }, motors, motors],
    [{ junction: 'roundabout' }, profiles, ['foot']],
    [{ 'motor_vehicle:backward': 'no' }, profiles, ['foot', 'bicycle']],
    [{ 'oneway:foot': 'yes' }, profiles, others(['foot'])],
  ]
  for (const [tags, eastward, westward] of cases) {
    const roads = await drawBlock(tags).open(t)
    for (const profile of profiles) {
      const says = `${profile}, ${JSON.stringify(tags)}`
      assert.equal(roads.metres(profile, west, east), eastward.includes(profile) ? 440 : 760, `${says}, east`)
      assert.equal(roads.metres(profile, east, west), westward.includes(profile) ? 440 : 760, `${says}, west`)
    }
  }
})

test('a barrier stops whom it is made for', async (t) => {
  const cases: [tags: Tags, whoPasses: readonly Transport[]][] = [
    [{ barrier: 'bollard' }, ['foot', 'bicycle']],
    [{ barrier: 'bollard', motorcycle: 'yes' }, ['foot', 'bicycle', 'motorcycle']],
    [{ barrier: 'bollard', access: 'yes' }, ['foot', 'bicycle']],
    [{ barrier: 'gate' }, profiles],
    [{ barrier: 'gate', access: 'private' }, []],
    [{ barrier: 'gate', access: 'no', foot: 'yes' }, ['foot']],
    [{ barrier: 'gate', locked: 'yes' }, []],
    [{ barrier: 'gate', locked: 'yes', foot: 'yes' }, ['foot']],
    [{ barrier: 'lift_gate' }, profiles],
    [{ barrier: 'lift_gate', motor_vehicle: 'no' }, ['foot', 'bicycle']],
    [{ barrier: 'kerb' }, ['foot', 'bicycle']],
    [{ barrier: 'block' }, ['foot', 'bicycle']],
    [{ barrier: 'cycle_barrier' }, ['foot', 'bicycle']],
    [{ barrier: 'stile' }, ['foot']],
    [{ barrier: 'kissing_gate' }, ['foot']],
    [{ barrier: 'fence' }, []],
    [{ barrier: 'bus_trap' }, others(['car', 'van'])],
    [{ barrier: 'cattle_grid' }, profiles],
    [{ barrier: 'toll_booth' }, profiles],
    [{ barrier: 'height_restrictor', maxheight: '2.2' }, others(['van', 'truck'])],
    [{ barrier: 'somebody invented this' }, ['foot', 'bicycle']],
  ]
  for (const [tags, whoPasses] of cases) {
    const paper = drawBlock()
    paper.node(middle, tags)
    const roads = await paper.open(t)
    for (const profile of profiles) {
      const metres = roads.metres(profile, west, east)
      assert.equal(metres, whoPasses.includes(profile) ? 440 : 760, `${profile}, ${JSON.stringify(tags)}`)
    }
    assert.equal(roads.metres('car', west, [190, 200]), 210, 'up to it everybody gets, and back')
    assert.equal(roads.metres('car', [190, 200], west), 210)
  }
})

test('a ferry takes the time that its timetable says, with boarding, and nobody is put on the water', async (t) => {
  const paper = drawRoads()
  const bank = (east: number) =>
    paper.road([
      [east, 0],
      [east, 200],
      [east + (east > 0 ? 100 : -100), 200],
      [east + (east > 0 ? 100 : -100), 0],
      [east, 0],
    ])
  bank(0)
  bank(3_000)
  paper.way(
    [
      [0, 0],
      [1_500, 0],
      [3_000, 0],
    ],
    { route: 'ferry', duration: '00:20', hgv: 'no' },
  )
  const roads = await paper.open(t)
  for (const profile of ['foot', 'bicycle', 'car'] as const) {
    const seconds = roads.seconds(profile, [0, 0.1], [3_000, 0.1]) as number
    assert.ok(Math.abs(seconds - 1_500) < 30, `${profile} takes ${seconds} s`)
  }
  const bus = drawRoads()
  bus.road([
    [0, 0],
    [0, 200],
  ])
  bus.way(
    [
      [0, 0],
      [0, -900],
    ],
    { route: 'ferry', motor_vehicle: 'no', bicycle: 'no' },
  )
  bus.road([
    [0, -900],
    [0, -990],
  ])
  assert.equal((await bus.open(t)).metres('foot', [0, 100], [0, -950]), undefined, 'a water bus without a timetable')
  assert.equal(roads.go('truck', [0, 100], [3_000, 100]), undefined)
  assert.equal(roads.spot('car', [1_500, 0]), undefined)
  assert.ok(roads.spot('car', [500, 0])?.lng, 'its bank is near enough')
})
