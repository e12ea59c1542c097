import type { House } from '../numbers.ts'

/** What ways and houses of one name near each other become. Coordinates are in millionths of a degree. */
export interface Street {
  name: string
  otherNames: string[]
  placeId: number
  alsoIn: number[]
  areaId: number | null
  postalCode: string | null
  lat: number
  lng: number
  reachMetres: number
  /** Latitudes and longitudes from the place of the street. */
  line: number[]
  houses: House[]
  postalCodes: string[]
}
