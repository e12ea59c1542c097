import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawBlock, drawRoads, east, middle, type Place, west } from '../../test/drawn-roads.ts'
import type { Tags } from '../extract/elements.ts'
import { profiles } from './profiles.ts'
import { ourSpeeds } from './speeds.ts'

/** A block whose street across is cut in the middle, where another one leads south. */
function drawCut(across: Tags = {}) {
  const paper = drawRoads()
  const ways = {
    south: paper.road([
      [0, 200],
      [0, 0],
      [200, 0],
      [400, 0],
      [400, 200],
    ]),
    north: paper.road([
      [0, 200],
      [0, 400],
      [400, 400],
      [400, 200],
    ]),
    first: paper.road(
      [
        [0, 200],
        [200, 200],
      ],
      across,
    ),
    second: paper.road(
      [
        [200, 200],
        [400, 200],
      ],
      across,
    ),
    down: paper.road([
      [200, 200],
      [200, 0],
    ]),
  }
  return { ...paper, ways }
}
const corner: Place = [0, 200]
const above: Place = [0, 220]

test('a forbidden turn is not made, by those for whom it is forbidden', async (t) => {
  const everybodyElse = profiles.filter((profile) => profile !== 'foot')
  const cases: [tags: Tags, stopped: readonly string[]][] = [
    [{ restriction: 'no_right_turn' }, everybodyElse],
    [{ restriction: 'only_straight_on' }, []],
    [{ restriction: 'no_right_turn', except: 'bicycle' }, ['motorcycle', 'car', 'van', 'truck']],
    [{ restriction: 'no_right_turn', except: 'motorcar;hgv' }, ['bicycle', 'motorcycle']],
    [{ 'restriction:hgv': 'no_right_turn' }, ['truck']],
    [{ 'restriction:motor_vehicle': 'no_right_turn' }, ['motorcycle', 'car', 'van', 'truck']],
    [{ restriction: 'give_way' }, []],
    [{ 'restriction:conditional': 'no_right_turn @ (07:00-09:00)' }, []],
    [{ restriction: 'no_right_turn', hour_on: '07:00', hour_off: '09:00' }, []],
    [{ restriction: 'no_right_turn', type: 'destination_sign' }, []],
  ]
  for (const [tags, stopped] of cases) {
    const paper = drawCut()
    paper.restriction(tags, paper.ways.south, { node: corner }, paper.ways.first)
    const roads = await paper.open(t)
    for (const profile of profiles) {
      const says = `${profile}, ${JSON.stringify(tags)}`
      // Instead of turning right one begins in the other direction.
      assert.equal(roads.metres(profile, west, east), stopped.includes(profile) ? 760 : 440, says)
      assert.equal(roads.metres(profile, above, east), 440, `${says}: who comes from the other side may`)
      assert.equal(roads.metres(profile, east, west), 440, `${says}: and back, too`)
    }
  }
})

test('where one turn is the only one, all others are forbidden', async (t) => {
  const paper = drawCut()
  paper.restriction({ restriction: 'only_straight_on' }, paper.ways.south, { node: corner }, paper.ways.north)
  const roads = await paper.open(t)
  assert.equal(roads.metres('car', west, east), 760)
  assert.equal(roads.metres('car', west, [0, 300]), 120)
  assert.equal(roads.metres('foot', west, east), 440)
  assert.equal(roads.made.forbiddenTurns, 1)
})

test('a turn that is the only one, into a road that is closed to somebody, does not hold for them', async (t) => {
  const paper = drawCut({ vehicle: 'no', bicycle: 'yes' })
  paper.restriction({ restriction: 'only_right_turn' }, paper.ways.south, { node: corner }, paper.ways.first)
  const roads = await paper.open(t)
  assert.equal(roads.metres('car', west, [0, 300]), 120)
  // A bicycle has to turn right there, so it begins southwards and comes back over the middle.
  assert.equal(roads.metres('bicycle', west, [0, 300]), 880)
})

test('a turn that is forbidden after another one is made by who comes from elsewhere', async (t) => {
  const paper = drawCut()
  const { south, first, second } = paper.ways
  paper.restriction({ restriction: 'no_straight_on' }, south, { ways: [first] }, second)
  const roads = await paper.open(t)
  assert.equal(roads.metres('car', west, east), 760)
  assert.equal(roads.metres('car', west, [200, 150]), 270)
  assert.equal(roads.metres('car', above, east), 440)
  assert.equal(roads.metres('car', [100, 200], east), 320)
  assert.equal(roads.metres('foot', west, east), 440)
})

test('what is the only way on after two turns is taken', async (t) => {
  const paper = drawCut()
  const { south, first, down } = paper.ways
  paper.restriction({ restriction: 'only_right_turn' }, south, { ways: [first] }, down)
  const roads = await paper.open(t)
  assert.equal(roads.metres('car', west, east), 760)
  assert.equal(roads.metres('car', west, [200, 150]), 270)
  assert.equal(roads.metres('car', above, east), 440)
})

test('a way over several others is forbidden as a whole, and another one that begins within it, too', async (t) => {
  const paper = drawCut()
  const { south, north, first, second, down } = paper.ways
  paper.restriction({ restriction: 'no_u_turn' }, south, { ways: [first, second] }, north)
  paper.restriction({ restriction: 'no_right_turn' }, first, { node: [200, 200] }, down)
  const roads = await paper.open(t)
  assert.equal(roads.metres('car', west, [400, 220]), 800, 'over the south')
  assert.equal(roads.metres('car', above, [400, 220]), 440)
  assert.equal(roads.metres('car', west, [200, 150]), 180 + 200 + 150)
  assert.equal(roads.metres('car', [210, 200], [200, 150]), 60)
})

test('of two forbidden ways that overlap both hold', async (t) => {
  const paper = drawCut()
  const { south, north, first, second, down } = paper.ways
  paper.restriction({ restriction: 'no_right_turn' }, south, { ways: [first] }, down)
  paper.restriction({ restriction: 'no_left_turn' }, first, { ways: [second] }, north)
  const roads = await paper.open(t)
  assert.equal(roads.metres('car', west, [400, 220]), 800)
  assert.equal(roads.metres('car', above, [400, 220]), 760)
  assert.equal(roads.metres('car', [210, 200], [400, 220]), 210)
})

test('a restriction of which it is not clear which streets it means is left out', async (t) => {
  const paper = drawBlock()
  const down = paper.road([
    [200, 200],
    [200, 100],
  ])
  // The street goes on beyond the junction, so one could come from both sides.
  paper.restriction({ restriction: 'no_left_turn' }, paper.ways.across, { node: middle }, down)
  paper.restriction({ restriction: 'no_left_turn' }, 99, { node: middle }, down)
  const roads = await paper.open(t)
  assert.equal(roads.metres('car', [150, 200], [200, 150]), 100)
  assert.equal(roads.metres('car', [250, 200], [200, 150]), 100)
  assert.equal(roads.made.forbiddenTurns, 0)
})

test('nobody turns round in the middle of a street, but where it ends', async (t) => {
  const draw = () => {
    const paper = drawCut({ oneway: 'yes' })
    const { first, down } = paper.ways
    paper.restriction({ restriction: 'no_right_turn' }, first, { node: [200, 200] }, down)
    return paper
  }
  const [from, to]: [Place, Place] = [
    [100, 200],
    [200, 150],
  ]
  assert.equal((await draw().open(t)).metres('car', from, to), 850, 'around the block')
  const withLane = draw()
  withLane.road([
    [200, 200],
    [200, 300],
  ])
  assert.equal((await withLane.open(t)).metres('car', from, to), 350)
})

test('before a gate that is shut one turns round', async (t) => {
  const paper = drawCut({ oneway: 'yes' })
  const { first, down } = paper.ways
  paper.restriction({ restriction: 'no_right_turn' }, first, { node: [200, 200] }, down)
  paper.road([
    [200, 200],
    [200, 300],
    [200, 400],
  ])
  paper.node([200, 300], { barrier: 'gate', access: 'private' })
  assert.equal((await paper.open(t)).metres('car', [100, 200], [200, 150]), 350)
})

test('before a private road one turns round', async (t) => {
  const paper = drawCut({ oneway: 'yes' })
  const { first, down } = paper.ways
  paper.restriction({ restriction: 'no_right_turn' }, first, { node: [200, 200] }, down)
  paper.road([
    [200, 200],
    [200, 300],
  ])
  paper.road(
    [
      [200, 300],
      [200, 400],
    ],
    { access: 'private' },
  )
  // It leads on, but only to those who live there.
  assert.equal((await paper.open(t)).metres('car', [100, 200], [200, 150]), 350)
})

test('turning round at a dead end has its price', async (t) => {
  const paper = drawCut()
  paper.road(
    [
      [400, 200],
      [500, 200],
    ],
    { lanes: '4' },
  )
  const roads = await paper.open(t)
  const [near, far] = [roads.go('car', [390, 200], [450, 190]), roads.go('car', [390, 200], [450, 210])]
  assert.equal(near?.metres, 10 + 50 + 10)
  assert.equal(far?.metres, 10 + 100 + 50 + 10, 'the other side of the road is reached after its end')
  const driving = (100 / 27.6) * 3.6
  assert.ok(
    Math.abs((far?.seconds as number) - (near?.seconds as number) - ourSpeeds.car.turnRoundSeconds - driving) < 3,
  )
})

test('turns cost more the sharper they are, and across the other lane', async (t) => {
  const paper = drawRoads()
  for (const end of [
    [0, -300],
    [0, 300],
    [300, 0],
    [-300, 0],
  ] as const)
    paper.road([[0, 0], end])
  const from: Place = [0, -100]
  const take = async (side: 'right' | 'left') => {
    const roads = await paper.open(t, { speeds: { speeds: { ...ourSpeeds, side }, from: 'test' } })
    const seconds = (place: Place) => roads.seconds('car', from, place) as number
    return { straight: seconds([0, 100]), right: seconds([100, 0]), left: seconds([-100, 0]) }
  }
  const { straight, right, left } = await take('right')
  const { rightSeconds, leftSeconds } = ourSpeeds.car
  const isAbout = (value: number, wanted: number) =>
    assert.ok(Math.abs(value - wanted) < 0.1, `${value}, not ${wanted}`)
  isAbout(right - straight, rightSeconds)
  isAbout(left - straight, leftSeconds)
  const other = await take('left')
  isAbout(other.left - other.straight, rightSeconds)
  isAbout(other.right - other.straight, leftSeconds)
})

test('lights, crossings and gates take time, at a junction and between, in the direction for which they are', async (t) => {
  const cases: [tags: Tags, there: number, back: number][] = [
    [{ highway: 'traffic_signals' }, 20, 20],
    [{ highway: 'traffic_signals', 'traffic_signals:direction': 'forward' }, 20, 0],
    [{ highway: 'traffic_signals', 'traffic_signals:direction': 'backward' }, 0, 20],
    [{ highway: 'crossing' }, 10, 10],
    [{ highway: 'crossing', crossing: 'no' }, 0, 0],
    [{ barrier: 'lift_gate' }, 5, 5],
    [{}, 0, 0],
  ]
  const waiting = { ...ourSpeeds, car: { ...ourSpeeds.car, lightSeconds: 20, crossingSeconds: 10, gateSeconds: 5 } }
  const not = { ...ourSpeeds, car: { ...ourSpeeds.car, lightSeconds: 0, crossingSeconds: 0, gateSeconds: 0 } }
  for (const draw of [drawBlock, drawCut])
    for (const [tags, there, back] of cases) {
      const paper = draw()
      paper.node(middle, tags)
      const [slow, fast] = [
        await paper.open(t, { speeds: { speeds: waiting, from: 'test' } }),
        await paper.open(t, { speeds: { speeds: not, from: 'test' } }),
      ]
      const more = (from: Place, to: Place) =>
        Math.round((slow.seconds('car', from, to) as number) - (fast.seconds('car', from, to) as number))
      // At a junction a light stands for all who come.
      const always = draw === drawCut && (there > 0 || back > 0) ? Math.max(there, back) : undefined
      assert.deepEqual([more(west, east), more(east, west)], [always ?? there, always ?? back], JSON.stringify(tags))
    }
})

test('a roundabout is passed in its direction, and slowly', async (t) => {
  const paper = drawRoads()
  const ring: Place[] = [
    [0, -30],
    [30, 0],
    [0, 30],
    [-30, 0],
    [0, -30],
  ]
  paper.road(ring, { highway: 'primary', junction: 'roundabout' })
  for (const [from, to] of [
    [
      [0, -30],
      [0, -300],
    ],
    [
      [30, 0],
      [300, 0],
    ],
    [
      [0, 30],
      [0, 300],
    ],
    [
      [-30, 0],
      [-300, 0],
    ],
  ] as const)
    paper.road([from, to], { highway: 'primary' })
  const roads = await paper.open(t)
  const quarter = Math.hypot(30, 30)
  const around = (quarters: number) => Math.round(200 + quarters * quarter)
  assert.equal(roads.metres('car', [0, -130], [130, 0]), around(1), 'the first exit is to the right')
  assert.equal(roads.metres('car', [0, -130], [0, 130]), around(2))
  assert.equal(roads.metres('car', [0, -130], [-130, 0]), around(3), 'and the left one is the third')
  const slow = roads.go('car', [0, -130], [-130, 0])?.seconds as number
  const fast = roads.go('car', [0, -130], [130, 0])?.seconds as number
  const least = (2 * quarter) / (ourSpeeds.car.roundabout / 3.6)
  assert.ok(slow - fast > least - 0.5, `${slow - fast} s for two quarters, not ${least}`)
})
