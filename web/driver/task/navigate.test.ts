import assert from 'node:assert/strict'
import { test } from 'node:test'
import { navigationLinks } from './navigate.ts'

const to = (lat: number | null, lng: number | null) => {
  const address = { address: 'Str. Gării 1 & 3, Iași', lat, lng } as Parameters<typeof navigationLinks>[0]['address']
  return Object.fromEntries(navigationLinks({ address }))
}

test('a driver navigates to the place of a task', () => {
  assert.deepEqual(to(47.16, -0.5), {
    'Google Maps': 'https://www.google.com/maps/dir/?api=1&destination=47.16,-0.5',
    Waze: 'https://waze.com/ul?ll=47.16,-0.5&navigate=yes',
    'Apple Maps': 'https://maps.apple.com/?daddr=47.16,-0.5',
    'geo:': 'geo:47.16,-0.5?q=47.16,-0.5',
  })
})

test('without a place a driver navigates to the address, whatever is written in it', () => {
  for (const link of Object.values(to(null, null))) {
    const { searchParams } = new URL(link)
    const [asked] = ['destination', 'q', 'daddr'].flatMap((name) => searchParams.getAll(name))
    assert.equal(asked, 'Str. Gării 1 & 3, Iași')
  }
})
