import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paints } from './paints.ts'

/** By the rules of WCAG: 1 is the same, 21 black on white. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other].map(lightness).toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function lightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

for (const theme of ['light', 'dark'] as const) {
  const paint = paints[theme]
  const grounds = [paint.land, paint.built, paint.green] as const

  test(`roads can be seen on the land, in town and beside green, and larger ones no worse: ${theme}`, () => {
    for (const ground of grounds)
      for (const kind of ['street', 'through', 'main', 'highway'] as const) {
        const { middle, edge } = paint[kind]
        const seen = Math.max(contrast(middle, ground), contrast(edge, ground))
        assert.ok(seen >= 1.8, `${kind} on ${ground} has ${seen.toFixed(2)}`)
      }
  })

  test(`names and house numbers can be read on what they stand on: ${theme}`, () => {
    for (const ground of [...grounds, paint.water, paint.building, paint.halo, paint.street.middle])
      assert.ok(contrast(paint.name, ground) >= 4.5, `a name on ${ground}: ${contrast(paint.name, ground).toFixed(2)}`)
    for (const ground of [paint.building, paint.halo, paint.land])
      assert.ok(contrast(paint.softName, ground) >= 4.5, `a number on ${ground}`)
    for (const colour of [paint.waterName, paint.greenName])
      assert.ok(contrast(colour, paint.halo) >= 4.5, `${colour} on its halo`)
    assert.ok(contrast(paint.waterName, paint.water) >= 4, 'the name of a river on it')
  })

  test(`one-way marks can be seen on every street: ${theme}`, () => {
    for (const kind of ['street', 'through', 'main', 'highway'] as const)
      assert.ok(contrast(paint.mark, paint[kind].middle) >= 2.2, kind)
  })
}
