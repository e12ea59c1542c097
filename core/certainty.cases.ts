import type { Certainty } from './certainty.ts'

/** What is known of an address, and how sure that is: for core and for the SQL of the server. */
export interface CertaintyCase {
  name: string
  hasPlace: boolean
  precision: 'exact' | 'approximate' | null
  detail: string | null
  problem: string | null
  is: Certainty
}

const placed = { hasPlace: true, problem: null }
const lost = { hasPlace: false, precision: null, detail: null }

export const certaintyCases: CertaintyCase[] = [
  { name: 'entered by a person', ...placed, precision: null, detail: null, is: 'sure' },
  { name: 'the house', ...placed, precision: 'exact', detail: 'house', is: 'sure' },
  { name: 'where drivers were before', ...placed, precision: 'exact', detail: 'learned', is: 'sure' },
  { name: 'exact, of a geocoder that says no more', ...placed, precision: 'exact', detail: null, is: 'sure' },
  { name: 'a number between two others', ...placed, precision: 'approximate', detail: 'interpolated', is: 'near' },
  { name: 'the street', ...placed, precision: 'approximate', detail: 'street', is: 'street' },
  { name: 'the city', ...placed, precision: 'approximate', detail: 'city', is: 'city' },
  { name: 'found before we asked what', ...placed, precision: 'approximate', detail: null, is: 'rough' },
  { name: 'a problem of before, placed since', ...placed, precision: null, detail: null, problem: 'old', is: 'sure' },
  { name: 'not found', ...lost, problem: 'Address not found', is: 'nowhere' },
  { name: 'the geocoder does not answer', ...lost, problem: 'Photon did not answer', is: 'nowhere' },
  { name: 'being looked for', ...lost, problem: null, is: 'waiting' },
]
