import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCodes } from '../server/test/codes.ts'
import { encodeCode128, modulesOfCode128, splitForCode128 } from './code-128.ts'

/** As a picture: bars as high as a finger, a quiet zone around. */
function draw(widths: number[]) {
  const scale = 3
  const modules = widths.reduce((sum, width) => sum + width, 0)
  const width = (modules + 20) * scale
  const height = 60
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  let left = 10
  widths.forEach((wide, at) => {
    if (at % 2 === 0)
      for (let y = 5; y < height - 5; y += 1)
        for (let x = left * scale; x < (left + wide) * scale; x += 1)
          data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    left += wide
  })
  return { data, width, height }
}

const texts = [
  'A',
  '7',
  '12',
  '123',
  '1234567890',
  'RO-4711',
  'AB123456',
  'AB1234567CD',
  '123456AB7890',
  '12345A',
  'x 00~^\\_>&"<%',
  Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
    .join('')
    .slice(1, 65),
  '9'.repeat(64),
  'W'.repeat(64),
]

test('a scanner reads from the bars what was written', async () => {
  for (const text of texts) {
    const widths = encodeCode128(text) as number[]
    assert.equal(
      widths.reduce((sum, width) => sum + width, 0),
      modulesOfCode128(text),
    )
    assert.deepEqual(await readCodes(draw(widths), ['Code128']), [{ format: 'Code128', text }])
  }
})

test('pairs of digits are written together where that is shorter', () => {
  assert.deepEqual(splitForCode128('AB1234567CD'), [
    { set: 'B', text: 'AB1' },
    { set: 'C', text: '234567' },
    { set: 'B', text: 'CD' },
  ])
  assert.deepEqual(splitForCode128('A12B'), [{ set: 'B', text: 'A12B' }])
  assert.ok((modulesOfCode128('1234567890') ?? 0) < (modulesOfCode128('ABCDEFGHIJ') ?? 0))
})

test('what the code does not have is not written', () => {
  for (const text of ['', 'Șoim', 'a\nb', '包裹']) assert.equal(encodeCode128(text), undefined)
})
