import type { Static } from 'typebox'
import { type ScanPlace, type ScanResult, scanPlaces, scanResults } from '../core/loading.ts'
import { longest } from './limits.ts'
import { HappenedInput } from './op.ts'
import { day } from './planning.ts'
import { Each, Id, ItemError, Nullable, Time, Words } from './schema.ts'
import { Status } from './task.ts'
import { Type } from './type.ts'

const Optional = Type.Optional

const At = Type.Unsafe<ScanPlace>({ type: 'string', enum: [...scanPlaces] })
export const ScanVerdict = Type.Unsafe<ScanResult>({
  type: 'string',
  enum: Object.keys(scanResults),
  description: Object.entries(scanResults)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join('; '),
})

const code = Words(longest.code)

export const ScanInput = Type.Object(
  {
    code,
    at: At,
    userId: Optional(
      Nullable(Id('The driver it is scanned for. Without one it counts as scanned for the driver who has the task')),
    ),
    day: Optional(Nullable(Type.String({ description: 'YYYY-MM-DD: the day that is loaded; today by default' }))),
  },
  { title: 'ScanInput' },
)
export type ScanInput = Static<typeof ScanInput>

export const BulkScans = Type.Object(
  { scans: Each(ScanInput, 'In the order in which they were read') },
  { title: 'BulkScans' },
)

/** A driver scans for themselves. */
export const DriverScanInput = Type.Object(
  {
    code,
    at: Optional(At),
    day: ScanInput.properties.day,
    ...HappenedInput.properties,
  },
  { title: 'DriverScanInput', description: '`at` is `vehicle` by default' },
)

const Named = Type.Object({ id: Id(), name: Type.String() })

export const Scan = Type.Object(
  {
    id: Nullable(Id('Null if nothing was kept: it says what an earlier scan said, or there are too many of them')),
    code: Type.String(),
    at: At,
    result: ScanVerdict,
    day: Type.String({ description: 'YYYY-MM-DD' }),
    taskId: Nullable(Id('Null if no task has this code')),
    awb: Nullable(Type.String()),
    userId: Nullable(Id('The driver it was scanned for; null if none was named')),
    occurredAt: Time('When it was scanned'),
    recordedAt: Time('When the server received it'),
  },
  { title: 'Scan' },
)
export type Scan = Static<typeof Scan>

export const ScannedTask = Type.Object(
  {
    id: Id(),
    awb: Type.String(),
    statusId: Status,
    address: Type.String(),
    atHubAt: Nullable(Time()),
    loadedAt: Nullable(Time()),
  },
  { title: 'ScannedTask' },
)

export const LoadPosition = Type.Object(
  {
    stop: Type.Integer({ description: 'The number of its stop in the route, from 1' }),
    load: Type.Integer({ description: 'When to load it, from 1: the last stop comes first' }),
    of: Type.Integer({ description: 'How many stops there are' }),
  },
  { title: 'LoadPosition' },
)
export type LoadPosition = Static<typeof LoadPosition>

/** What a scan says. */
export const scanned = {
  scan: Scan,
  scannedBefore: Nullable(Time('When it was first scanned in there, if this scan adds nothing')),
  task: Nullable(ScannedTask),
  driver: Nullable(Type.Object(Named.properties, { description: 'Whose the parcel is' })),
  position: Nullable(LoadPosition),
  sentence: Type.String({ description: 'The same in words' }),
}
export const Scanned = Type.Object(scanned, { title: 'Scanned' })
export type Scanned = Static<typeof Scanned>

export const BulkScanResult = Type.Object(
  {
    item: Type.Integer({ minimum: 1, description: 'The position in the request, from 1' }),
    success: Type.Boolean(),
    data: Optional(Scanned),
    error: Optional(ItemError),
  },
  { title: 'BulkScanResult' },
)

const Parcel = Type.Object(
  {
    ...ScannedTask.properties,
    position: Nullable(LoadPosition),
    missing: Type.Boolean({ description: 'The driver must not leave without it' }),
  },
  { title: 'Parcel' },
)
export type Parcel = Static<typeof Parcel>

export const Load = Type.Object(
  {
    driver: Named,
    expected: Type.Integer({ description: 'How many parcels there are' }),
    atHub: Type.Integer({ description: 'How many of them were scanned in at the hub, or are in the vehicle' }),
    inVehicle: Type.Integer({ description: 'How many of them were scanned into the vehicle' }),
    missing: Type.Integer({ description: 'How many the driver still has to load' }),
    parcels: Type.Array(Parcel, { description: 'In the order in which they are loaded: the last stop first' }),
    foreign: Type.Array(Scan, { description: 'What was scanned for this driver and does not belong: the newest 100' }),
  },
  { title: 'Load' },
)
export type Load = Static<typeof Load>

export const LoadQuery = Type.Object({ day, userId: Optional(Id('Only this driver')) })
