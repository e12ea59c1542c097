import { BulkScanResult, BulkScans, DriverScanInput, Load, LoadQuery, Scan, ScanInput, scanned } from '../scan.ts'
import { reply } from '../schema.ts'
import { Type } from '../type.ts'
import type { Operation } from './operation.ts'

export const scanOperations = {
  createScan: {
    method: 'POST',
    path: '/api/v1/scans',
    tag: 'Loading',
    summary: 'Scan a parcel in at the hub, or into a vehicle: whose it is, and where in the vehicle it belongs',
    scope: 'tasks:write',
    body: ScanInput,
    reply: reply(scanned),
    changes: ['scans'],
    refuses: ['DRIVER_NOT_FOUND', 'INVALID_TIME'],
  },
  bulkCreateScans: {
    method: 'POST',
    path: '/api/v1/scans/bulkCreate',
    tag: 'Loading',
    summary: 'Scan many parcels, in this order',
    scope: 'tasks:write',
    body: BulkScans,
    reply: reply({ results: Type.Array(BulkScanResult) }),
    changes: ['scans'],
    refuses: ['TOO_MANY_ITEMS'],
  },
  listLoads: {
    method: 'GET',
    path: '/api/v1/loads',
    tag: 'Loading',
    summary: 'Get what every driver of a day has to load, what is there, and what does not belong',
    scope: 'tasks:read',
    query: LoadQuery,
    reply: reply({
      day: Type.String({ description: 'YYYY-MM-DD' }),
      loads: Type.Array(Load, { description: 'One per driver who has parcels, or for whom something was scanned' }),
      foreign: Type.Array(Scan, { description: 'What was scanned for nobody and does not belong: the newest 100' }),
    }),
    refuses: ['INVALID_TIME'],
  },
  scanOwnParcel: {
    method: 'POST',
    path: '/api/v1/driver/scans',
    tag: 'Loading',
    summary: 'Scan a parcel into my vehicle, or at the hub',
    access: 'driver',
    body: DriverScanInput,
    reply: reply(scanned),
    refuses: ['INVALID_TIME'],
  },
} as const satisfies Record<string, Operation>
