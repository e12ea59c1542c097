import type { TObject } from 'typebox'
import { OwnCash } from '../cash.ts'
import { PushInput } from '../device.ts'
import { Driver, DriverLink, DriverSignIn, ProfileUpdate } from '../driver.ts'
import type { ErrorCode } from '../errors.ts'
import { FileId, pictureUpload, StoredFile } from '../file.ts'
import { longest } from '../limits.ts'
import { LocationReport, LocationsKept } from '../location.ts'
import { DriverNoteInput, DutyInput, FailureInput, HappenedInput } from '../op.ts'
import { OsmandBody, OsmandQuery } from '../osmand.ts'
import { DriverRoute, RouteQuery } from '../route.ts'
import { Id, reply, Secret, Text, Time } from '../schema.ts'
import { OpResult, PhoneChanges, SyncInput } from '../sync.ts'
import { Task, TaskFilter } from '../task.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

/** The verbs of a driver on one of their tasks differ only in what they take. */
const driverVerb = <const Path extends string, const Body extends TObject>(
  verb: Path,
  summary: string,
  body: Body,
  refuses: ErrorCode[],
) =>
  ({
    method: 'POST',
    path: `/api/v1/driver/tasks/:taskId/${verb}`,
    tag: "The driver's side",
    summary,
    access: 'driver',
    params: Type.Object({ taskId: Id() }),
    body,
    reply: reply({ task: Task }),
    missing: 'TASK_NOT_FOUND',
    refuses: [
      'FORBIDDEN_BY_SETTING',
      'TASK_ALREADY_PROCESSED',
      'TASK_NOT_ASSIGNED',
      'INVALID_TIME',
      ...refuses,
    ] as ErrorCode[],
  }) as const satisfies Operation

export const driverSideOperations = {
  loginDriver: {
    method: 'POST',
    path: '/api/v1/driver/login',
    tag: "The driver's side",
    summary: 'Sign in a device with phone and code, or with the secret of the link',
    access: 'anybody',
    signsIn: true,
    body: DriverSignIn,
    reply: reply({
      token: Type.String(),
      osmandUrl: Secret('Where a tracking app such as Traccar Client reports this device; shown once'),
      user: Driver,
    }),
    refuses: ['UNAUTHORIZED', 'RATE_LIMITED'],
  },
  describeDriverLink: {
    method: 'POST',
    path: '/api/v1/driver/link',
    tag: "The driver's side",
    summary: 'Get whose invitation link this is, without using it',
    access: 'anybody',
    signsIn: true,
    body: DriverLink,
    reply: reply({ user: Type.Object({ id: Id(), name: Type.String() }) }),
    refuses: ['UNAUTHORIZED', 'RATE_LIMITED'],
  },
  signOutDevice: {
    method: 'DELETE',
    path: '/api/v1/driver/session',
    tag: "The driver's side",
    summary: 'Sign this device out',
    access: 'driver',
    reply: reply({}),
    changes: ['drivers'],
    refuses: [],
  },
  listOwnTasks: {
    method: 'GET',
    path: '/api/v1/driver/tasks',
    tag: "The driver's side",
    summary: 'List my tasks: open ones first, in route order',
    access: 'driver',
    query: TaskFilter,
    reply: reply({ tasks: Type.Array(Task), nextCursor: NextCursor }),
    refuses: ['INVALID_TIME'],
  },
  getOwnRoute: {
    method: 'GET',
    path: '/api/v1/driver/route',
    tag: "The driver's side",
    summary: 'Get my stops of a day, with arrivals and the way along the streets',
    access: 'driver',
    query: RouteQuery,
    reply: reply({ route: DriverRoute }),
    refuses: ['INVALID_TIME'],
  },
  getOwnCash: {
    method: 'GET',
    path: '/api/v1/driver/cash',
    tag: "The driver's side",
    summary: 'Get the cash I have: collected, handed in, still to hand in',
    access: 'driver',
    reply: reply({ cash: OwnCash }),
    refuses: [],
  },
  setDuty: {
    method: 'PUT',
    path: '/api/v1/driver/duty',
    tag: "The driver's side",
    summary: 'Go on or off duty',
    access: 'driver',
    body: DutyInput,
    reply: reply({ user: Driver }),
    changes: ['drivers'],
    refuses: ['INVALID_TIME'],
  },
  syncDriver: {
    method: 'POST',
    path: '/api/v1/driver/sync',
    tag: "The driver's side",
    summary: 'Send what I did, also while offline, and get what changed since the last time',
    access: 'driver',
    body: SyncInput,
    reply: reply({
      serverTime: Time(),
      cursor: Type.String({ description: 'Pass it with the next request to get only what changed since' }),
      results: Type.Array(OpResult, { description: 'One per op, in the order given' }),
      changes: PhoneChanges,
    }),
    isRepeatable: true,
    refuses: ['INVALID_TIME', 'TOO_MANY_ITEMS'],
  },
  streamCalls: {
    method: 'GET',
    path: '/api/v1/driver/stream',
    tag: "The driver's side",
    summary: 'Be told when to sync (server-sent events): at once, and whenever something changes for me',
    access: 'driver',
    reply: reply({}),
    streams: true,
    refuses: [],
  },
  getPushKey: {
    method: 'GET',
    path: '/api/v1/driver/push',
    tag: "The driver's side",
    summary: 'The public key (VAPID) to subscribe with',
    access: 'driver',
    reply: reply({
      publicKey: Type.String({
        description: 'A point of P-256 in base64url: the `applicationServerKey` of a subscription',
      }),
    }),
    refuses: [],
  },
  savePush: {
    method: 'PUT',
    path: '/api/v1/driver/push',
    tag: "The driver's side",
    summary:
      'Store the push subscription of this device, in place of the one before; it is called when the office changes my tasks while I am away',
    access: 'driver',
    body: PushInput,
    reply: reply({}),
    refuses: ['PUSH_ENDPOINT_FORBIDDEN'],
  },
  deletePush: {
    method: 'DELETE',
    path: '/api/v1/driver/push',
    tag: "The driver's side",
    summary: 'Forget the push subscription of this device',
    access: 'driver',
    reply: reply({}),
    refuses: [],
  },
  reportDriverLocations: {
    method: 'POST',
    path: '/api/v1/driver/locations',
    tag: "The driver's side",
    summary: 'Report my position, and positions since the last report',
    access: 'driver',
    body: LocationReport,
    reply: reply(LocationsKept),
    isRepeatable: true,
    refuses: ['INVALID_TIME', 'TOO_MANY_ITEMS', 'LOCATION_IN_FUTURE', 'LOCATION_TOO_OLD', 'OFF_DUTY'],
  },
  reportByOsmand: {
    method: 'GET',
    path: '/osmand/:deviceKey',
    tag: "The driver's side",
    summary: 'Report a position from a tracking app (OsmAnd protocol)',
    access: 'device',
    params: Type.Object({ deviceKey: Text(longest.secret) }),
    query: OsmandQuery,
    reply: reply(LocationsKept),
    refuses: ['INVALID_TIME', 'LOCATION_IN_FUTURE', 'LOCATION_TOO_OLD', 'OFF_DUTY'],
  },
  postByOsmand: {
    method: 'POST',
    path: '/osmand/:deviceKey',
    tag: "The driver's side",
    summary: 'The same, in the query or in a JSON body, as Traccar Client sends it',
    access: 'device',
    params: Type.Object({ deviceKey: Text(longest.secret) }),
    query: OsmandQuery,
    body: OsmandBody,
    reply: reply(LocationsKept),
    isRepeatable: true,
    refuses: ['INVALID_TIME', 'LOCATION_IN_FUTURE', 'LOCATION_TOO_OLD', 'OFF_DUTY'],
  },
  uploadFile: {
    method: 'PUT',
    path: '/api/v1/driver/files/:fileId',
    tag: "The driver's side",
    summary: 'Send a picture under an id I choose; sending it again is safe',
    access: 'driver',
    params: Type.Object({ fileId: FileId('A UUID made by the phone') }),
    upload: pictureUpload,
    reply: reply({ file: StoredFile }),
    refuses: ['NOT_A_PICTURE', 'PICTURE_DAMAGED', 'PICTURE_TOO_LARGE', 'FILE_TAKEN', 'NOT_FOUND'],
  },
  updateProfile: {
    method: 'PUT',
    path: '/api/v1/driver/profile',
    tag: "The driver's side",
    summary: 'Change my picture, or note that I have closed the introduction',
    access: 'driver',
    body: ProfileUpdate,
    reply: reply({ user: Driver }),
    changes: ['drivers'],
    refuses: ['FORBIDDEN_BY_SETTING', 'FILE_NOT_FOUND', 'FILE_IN_USE'],
  },
  acceptTask: driverVerb('accept', 'Accept a task', HappenedInput, ['DEPENDENCY_OPEN']),
  startTask: driverVerb('start', 'Start a task', HappenedInput, [
    'DEPENDENCY_OPEN',
    'TASK_IN_TRANSIT',
    'TASK_NOT_ACCEPTED',
  ]),
  arriveAtTask: driverVerb('arrive', 'Arrive at a task', HappenedInput, ['TASK_NOT_STARTED']),
  completeTask: driverVerb('complete', 'Complete a task', HappenedInput, [
    'TASK_NOT_STARTED',
    'DEPENDENCY_OPEN',
    'SIGNATURE_REQUIRED',
    'PAYMENT_REQUIRED',
    'FORM_REQUIRED',
  ]),
  failTask: driverVerb('fail', 'Fail a task', FailureInput, [
    'FORM_REQUIRED',
    'REASON_NOT_FOUND',
    'PHOTO_REQUIRED',
    'NOTE_REQUIRED',
  ]),
  addOwnNote: driverVerb('notes', 'Add a note, a photo or a signature to a task', DriverNoteInput, [
    'FILE_NOT_FOUND',
    'FILE_IN_USE',
    'TASK_FULL',
  ]),
} as const satisfies Record<string, Operation>
