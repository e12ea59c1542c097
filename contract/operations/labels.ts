import { LabelsInput, LabelsQuery, ManifestQuery } from '../label.ts'
import { Id, reply } from '../schema.ts'
import { Type } from '../type.ts'
import type { Operation } from './operation.ts'

const labels = {
  tag: 'Labels and run sheets',
  path: '/api/v1/labels',
  scope: 'tasks:read',
  reply: reply({}),
  download: ['application/pdf', 'application/zpl'],
} as const

export const labelOperations = {
  getLabels: {
    ...labels,
    method: 'GET',
    summary: 'Get the labels of some tasks, to print them',
    query: LabelsQuery,
    refuses: ['TASK_NOT_FOUND', 'TOO_MANY_ITEMS'],
  },
  printLabels: {
    ...labels,
    method: 'POST',
    summary: 'Get the labels of some tasks: the same for more AWBs than fit an address',
    body: LabelsInput,
    isRepeatable: true,
    refuses: ['TASK_NOT_FOUND', 'TOO_MANY_ITEMS', 'VALIDATION_FAILED'],
  },
  getManifest: {
    method: 'GET',
    path: '/api/v1/manifests/:driverId',
    tag: 'Labels and run sheets',
    summary: 'Get the run sheet of a driver for a day: stops in order, what to collect, and where to sign',
    scope: 'tasks:read',
    params: Type.Object({ driverId: Id() }),
    query: ManifestQuery,
    reply: reply({}),
    download: ['application/pdf'],
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['INVALID_TIME', 'TOO_MANY_ITEMS'],
  },
} as const satisfies Record<string, Operation>
