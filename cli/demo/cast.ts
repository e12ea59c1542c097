import type { DriverInput } from '../../contract/driver.ts'
import type { HubInput } from '../../contract/hub.ts'
import { between, chanceOf, type Random, shuffle } from './chance.ts'
import { type Day, timeOfDay } from './day.ts'
import { type Area, areas } from './streets.ts'
import { firstNames, lastNames } from './words.ts'

/* Who takes part: hubs, teams and drivers, the same for the same seed. */

export const hubs = [
  { name: 'Depozit Pipera', lat: 44.487, lng: 26.1145, streetName: 'Șoseaua Pipera', streetNumber: '48' },
  { name: 'Depozit Militari', lat: 44.4335, lng: 25.99, streetName: 'Bulevardul Preciziei', streetNumber: '6' },
  { name: 'Depozit Berceni', lat: 44.383, lng: 26.129, streetName: 'Șoseaua Berceni', streetNumber: '104' },
].map((hub) => ({ ...hub, city: 'București', country: 'RO' }) satisfies HubInput)

interface Team {
  name: string
  area: Area
  /** The hub it starts from. */
  hub: number
}

const everyTeam: Record<Area, Omit<Team, 'area'>> = {
  centru: { name: 'Centru', hub: 0 },
  nord: { name: 'Nord', hub: 0 },
  est: { name: 'Est', hub: 2 },
  sud: { name: 'Sud', hub: 2 },
  vest: { name: 'Vest', hub: 1 },
}

/** No team without a driver. */
export const makeTeams = (driverCount: number): Team[] =>
  areas.slice(0, driverCount).map((area) => ({ area, ...everyTeam[area] }))

/** Which team works in an area. With few teams, some have two areas. */
export const teamFor = (area: Area, teamCount: number) => areas.indexOf(area) % teamCount

export interface CastDriver {
  /** Everything except the team ids, which the server assigns. */
  input: Omit<DriverInput, 'teams'>
  team: number
  isOnDuty: boolean
}

/** Vans and cars, a few on two wheels, one truck. */
const transports = [5, 4, 3, 5, 2, 4, 5, 4, 6, 3, 5, 4]

export function makeDrivers(seed: number, count: number, day: Day): CastDriver[] {
  const random = chanceOf(seed, 'drivers')
  const names = shuffle(random, firstNames)
  const families = shuffle(random, lastNames)
  const teamCount = makeTeams(count).length
  return Array.from({ length: count }, (_, index) => {
    const startsLater = between(random, 0, 2)
    const start = new Date(day.start.getTime() + startsLater * 30 * 60_000)
    const lunch = new Date(day.now.getTime() + between(random, 1, 3) * 30 * 60_000)
    return {
      input: {
        name: `${names[index % names.length]} ${families[index % families.length]}`,
        phone: makePhone(random),
        driverTransportationId: transports[index % transports.length] as number,
        startShiftTime: timeOfDay(start),
        endShiftTime: timeOfDay(day.end),
        lunchBreakStart: timeOfDay(lunch),
        lunchBreakEnd: timeOfDay(new Date(lunch.getTime() + 90 * 60_000)),
        lunchBreakDuration: 30,
      },
      team: index % teamCount,
      isOnDuty: index % 8 !== 7,
    }
  })
}

/** A Romanian mobile number. It may be a real one, so the demo never calls or messages anyone. */
export const makePhone = (random: Random) => `07${between(random, 20, 79)}${between(random, 100_000, 999_999)}`
