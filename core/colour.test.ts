import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOn } from './colour.ts'

test('text is white where that can be read, and dark on light colours', () => {
  assert.deepEqual(['#0b5fff', '#000000', '#c0392b'].map(textOn), ['#ffffff', '#ffffff', '#ffffff'])
  assert.deepEqual(['#ffd400', '#ffffff', '#2ecc71', '#777777'].map(textOn), [
    '#101828',
    '#101828',
    '#101828',
    '#101828',
  ])
})
