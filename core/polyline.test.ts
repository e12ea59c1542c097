import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodePolyline, encodePolyline } from './polyline.ts'

test('a line is written as other programs write it', () => {
  const points = [
    { lat: 38.5, lng: -120.2 },
    { lat: 40.7, lng: -120.95 },
    { lat: 43.252, lng: -126.453 },
  ]
  assert.equal(encodePolyline(points), '_p~iF~ps|U_ulLnnqC_mqNvxq`@')
  assert.deepEqual(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@'), points)
  assert.deepEqual([encodePolyline([]), decodePolyline('')], ['', []])
})

test('a line that was written and read is the same to a metre, anywhere on earth, and does not drift', () => {
  const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
  const aPoint = fc.record({ lat: degrees(90), lng: degrees(180) })
  fc.assert(
    fc.property(fc.array(aPoint, { maxLength: 50 }), (points) => {
      const read = decodePolyline(encodePolyline(points))
      assert.equal(read.length, points.length)
      for (const [index, { lat, lng }] of points.entries()) {
        const found = read[index]!
        assert.ok(Math.abs(found.lat - lat) <= 0.000_006 && Math.abs(found.lng - lng) <= 0.000_006)
      }
    }),
    { seed: 20_261_118 },
  )
})

test('a text that is no line has no points, and one that was cut keeps those it had', () => {
  assert.deepEqual(decodePolyline('Strada Morii 12'), [])
  assert.deepEqual(decodePolyline('~~~~~~~~~~~~~~~~'), [])
  assert.deepEqual(decodePolyline('_p~iF~ps|U_ulLnn'), [{ lat: 38.5, lng: -120.2 }])
})
