import type { Operation } from '../../../contract/operations.ts'
import { createBuckets } from './buckets.ts'
import { tooMany } from './limits.ts'

/*
 * How often one public link and one device of a driver may be used (docs/decisions/0041). On by default, so no normal use
 * may come near: whoever meets one is a program that runs in circles, or somebody who wants to keep us busy. Each
 * process counts for itself.
 */

interface Allowance {
  per: 'link' | 'device'
  what: string
  atOnce: number
  perSecond: number
  /** What normal use comes to. */
  normal: string
}

export const allowances = {
  looks: {
    per: 'link',
    what: 'pages, data, pictures and streams',
    atOnce: 1_200,
    perSecond: 20,
    normal:
      'an open page looks again when its driver has moved, four times a minute, at most once a second; 50 people who have it open when the task ends load 20 photos each',
  },
  papers: {
    per: 'link',
    what: 'PDF files',
    atOnce: 300,
    perSecond: 5,
    normal: 'somebody saves one, twice if in doubt; 50 people in one company do so at the same time',
  },
  words: {
    per: 'link',
    what: 'instructions, opting out, feedback',
    atOnce: 60,
    perSecond: 0.2,
    normal: 'a task takes 20 instructions and one feedback',
  },
  work: {
    per: 'device',
    what: 'sync and everything else',
    atOnce: 1_200,
    perSecond: 10,
    normal:
      'a shift of 8 hours with 150 stops has about 900 steps, 480 rounds and as many calls: one request in 15 seconds; after a day offline, 18 batches of 50 steps',
  },
  positions: {
    per: 'device',
    what: 'positions',
    atOnce: 3_600,
    perSecond: 20,
    normal:
      'four a minute; after a day offline the app sends 5,000 in ten requests, and a tracking app 2,000 in as many requests',
  },
  pictures: {
    per: 'device',
    what: 'photos and signatures sent',
    atOnce: 1_200,
    perSecond: 5,
    normal: '150 stops with three each are 450 in a shift, all at once after a day offline',
  },
} as const satisfies Record<string, Allowance>

export type AllowanceName = keyof typeof allowances

/** What a call counts as, if it comes with a public link or from a device of a driver. */
export function allowanceOf({ path, method, access, upload, download }: Operation): AllowanceName | undefined {
  if (/^\/[tp]\//.test(path)) {
    if (method !== 'GET') return 'words'
    return download?.includes('application/pdf') ? 'papers' : 'looks'
  }
  if (access === 'device' || path === '/api/v1/driver/locations') return 'positions'
  if (access !== 'driver' && access !== 'member') return undefined
  return upload ? 'pictures' : 'work'
}

const sentences = {
  link: 'This link is opened too often; try again shortly',
  device: 'This device sends too many requests; it can send the rest shortly',
}

export type Allowances = ReturnType<typeof createAllowances>

export function createAllowances() {
  const buckets = Object.fromEntries(
    Object.entries<Allowance>(allowances).map(([kind, { atOnce, perSecond }]) => [
      kind,
      createBuckets({ kind, capacity: atOnce, perSecond }),
    ]),
  ) as Record<AllowanceName, ReturnType<typeof createBuckets>>

  /** Counts one call with this link, or from this device. */
  return (allowance: AllowanceName, whose: string) => {
    if (!buckets[allowance].take(whose))
      throw tooMany(buckets[allowance].secondsToNext(whose), sentences[allowances[allowance].per])
  }
}
