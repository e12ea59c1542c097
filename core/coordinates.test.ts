import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCoordinates } from './coordinates.ts'

const place = { lat: 44.4319, lng: 26.101 }

const written: [text: string, point: { lat: number; lng: number } | undefined][] = [
  ['44.4319, 26.1010', place],
  ['44.4319,26.1010', place],
  ['  44.4319 26.1010 ', place],
  ['44.4319;26.1010', place],
  ['44.4319\t26.1010', place],
  ['44.4319\n26.1010', place],
  ['(44.4319, 26.1010)', place],
  // With decimal commas, as a spreadsheet in Romanian writes them.
  ['44,4319 26,1010', place],
  ['44,4319, 26,1010', place],
  ['44,4319; 26,1010', place],
  ['44,4319,26,1010', place],
  ['44.4319, 26', { lat: 44.4319, lng: 26 }],
  // With directions, which also say which one comes first.
  ['44.4319° N, 26.1010° E', place],
  ['N 44.4319 E 26.1010', place],
  ['26.1010 E, 44.4319 N', place],
  ['33.8568° S, 151.2153° E', { lat: -33.8568, lng: 151.2153 }],
  ['40.7128 N, 74.0060 W', { lat: 40.7128, lng: -74.006 }],
  ['40,7128 N 74,0060 V', { lat: 40.7128, lng: -74.006 }],
  ['-33.8568, 151.2153', { lat: -33.8568, lng: 151.2153 }],
  ['40.7128, −74.0060', { lat: 40.7128, lng: -74.006 }],
  // In minutes and seconds, as maps show them.
  ['44°25\'54.84"N 26°6\'3.6"E', place],
  ['44° 25′ 54,84″ N, 26° 6′ 3,6″ E', place],
  ["44° 25.914' N, 26° 6.06' E", place],
  // With names, and as links.
  ['lat: 44.4319, lng: 26.1010', place],
  ['Latitudine 44,4319 Longitudine 26,1010', place],
  ['geo:44.4319,26.1010', place],
  ['https://www.google.com/maps/@44.4319,26.1010,17z', place],
  ['https://www.google.com/maps/place/Hub/@44.43,26.10,17z/data=!3m1!4b1!4m5!3d44.4319!4d26.1010', place],
  ['https://maps.google.com/?q=44.4319,26.1010', place],
  ['https://www.google.com/maps/place/44.4319,26.1010/@44.5,26.5,12z', place],
  ['https://www.google.com/maps/search/44.4319,+26.1010?sa=X', place],
  ['https://www.google.com/maps/dir//44.4319,26.1010/@44.5,26.5,12z', place],
  ['https://maps.apple.com/?ll=44.4319,26.1010&q=Hub', place],
  ['https://maps.apple.com/place?coordinate=44.4319,26.1010&name=Hub', place],
  ['https://waze.com/ul?ll=44.4319%2C26.1010&navigate=yes', place],
  ['https://www.waze.com/live-map/directions?to=ll.44.4319%2C26.1010', place],
  ['https://www.openstreetmap.org/?mlat=44.4319&mlon=26.1010#map=17/44.5/26.5', place],
  ['https://www.google.com/maps/search/?api=1&query=44.4319%2C26.1010', place],
  ['https://www.openstreetmap.org/#map=18/44.4319/26.1010', place],
  ['https://www.openstreetmap.org/?mlat=44.4319&mlon=26.1010#map=18/44.4/26.1', place],
  // No places, or not certainly.
  ['', undefined],
  ['44.4319', undefined],
  ['44,4319', undefined],
  ['44,43', undefined],
  ['44, 26', undefined],
  ['12, 14', undefined],
  ['244.1, 26.1', undefined],
  ['91.5, 26.1', undefined],
  ['44.4, 181.5', undefined],
  ['44.4319, 26.1010, 17', undefined],
  ['44.4319261010', undefined],
  ['44.4 N, 26.1 N', undefined],
  ['44°75\'0"N 26°6\'3.6"E', undefined],
  ['Strada Lipscani 12, București', undefined],
  ['Strada Lipscani 12.5, 14.5', undefined],
  ['030031 București', undefined],
  ['https://example.org/44.4319,26.1010', undefined],
]

test('coordinates are understood as people paste them, and nothing else is taken for a place', () => {
  for (const [text, point] of written) {
    const read = readCoordinates(text)
    const rounded = read && { lat: Number(read.lat.toFixed(5)), lng: Number(read.lng.toFixed(5)) }
    assert.deepEqual(rounded, point, JSON.stringify(text))
  }
})
