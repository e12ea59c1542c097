import { type Static, type TObject, Type } from 'typebox'
import { CompanyUpdate, OwnCompany } from './company.ts'
import { Driver, DriverInput, DriverQuery, DriverUpdate, ListedDriver } from './driver.ts'
import type { ErrorCode } from './errors.ts'
import { Hub, HubInput, HubUpdate } from './hub.ts'
import { Key, KeyInput, KeyRotation, KeyWithSecret, type Scope } from './key.ts'
import { RouteSummary } from './planning.ts'
import { Awb, Each, Id, Nullable, reply, Secret, Text, Time } from './schema.ts'
import {
  AwbResult,
  BulkCreateResult,
  DriverTaskInput,
  FailureInput,
  ForceCompletion,
  IdResult,
  NoteInput,
  Task,
  TaskFilter,
  TaskInput,
  TaskQuery,
  TaskUpdate,
} from './task.ts'
import { Team, TeamInput, TeamUpdate } from './team.ts'
import { Webhook, WebhookInput, WebhookWithSecret } from './webhook.ts'

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  tag: string
  summary: string
  /** What a key needs to call it. An operation without a scope is not for keys. */
  scope?: Scope
  /** Who calls it, if not the holder of a key: a driver with a token, or anybody. */
  access?: 'driver' | 'anybody'
  params?: TObject
  query?: TObject
  body?: TObject
  reply: TObject
  /** What the caller meets if an id in the path is not one of theirs. */
  missing?: ErrorCode
  /** The refusals that are this operation's own; those every operation shares are not repeated. */
  refuses: ErrorCode[]
}

/** Whether a repeated call can be told from a new one by its Idempotency-Key. */
export const takesIdempotencyKey = ({ method, access }: Operation) => method !== 'GET' && access !== 'anybody'

const NextCursor = Type.Optional(Type.String({ description: 'There is more: ask again with it as `cursor`' }))

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
    refuses: ['FORBIDDEN_BY_SETTING', 'TASK_ALREADY_PROCESSED', 'TASK_NOT_ASSIGNED', ...refuses] as ErrorCode[],
  }) as const satisfies Operation

/** Every endpoint there is. The server mounts this table; OpenAPI, the SDK and the tests are made from it. */
export const operations = {
  createTask: {
    method: 'POST',
    path: '/api/v1/tasks',
    tag: 'Tasks',
    summary: 'Create a task',
    scope: 'tasks:write',
    body: TaskInput,
    reply: reply({ task: Task }),
    refuses: [
      'AWB_TAKEN',
      'INVALID_TIME',
      'INVALID_TIME_WINDOW',
      'DRIVER_NOT_FOUND',
      'TEAM_NOT_FOUND',
      'TASK_NOT_FOUND',
      'FORBIDDEN_BY_SETTING',
    ],
  },
  bulkCreateTasks: {
    method: 'POST',
    path: '/api/v1/tasks/bulkCreate',
    tag: 'Tasks',
    summary: 'Create up to 1,000 tasks',
    scope: 'tasks:write',
    body: Type.Object({ tasks: Each(TaskInput) }),
    reply: reply({ results: Type.Array(BulkCreateResult) }),
    refuses: ['TOO_MANY_ITEMS'],
  },
  listTasks: {
    method: 'GET',
    path: '/api/v1/tasks',
    tag: 'Tasks',
    summary: 'List tasks in the order of their ids',
    scope: 'tasks:read',
    query: TaskQuery,
    reply: reply({ tasks: Type.Array(Task), nextCursor: NextCursor }),
    refuses: ['VALIDATION_FAILED', 'INVALID_TIME'],
  },
  getTask: {
    method: 'GET',
    path: '/api/v1/tasks/:taskId',
    tag: 'Tasks',
    summary: 'Get a task by its id',
    scope: 'tasks:read',
    params: Type.Object({ taskId: Id() }),
    reply: reply({ task: Task }),
    missing: 'TASK_NOT_FOUND',
    refuses: [],
  },
  getTaskByAwb: {
    method: 'GET',
    path: '/api/v1/tasks/awb/:awb',
    tag: 'Tasks',
    summary: 'Get a task by its awb',
    scope: 'tasks:read',
    params: Type.Object({ awb: Awb }),
    reply: reply({ task: Task }),
    missing: 'TASK_NOT_FOUND',
    refuses: [],
  },
  updateTask: {
    method: 'PUT',
    path: '/api/v1/tasks/awb/:awb',
    tag: 'Tasks',
    summary: 'Change what is given, keep the rest',
    scope: 'tasks:write',
    params: Type.Object({ awb: Awb }),
    body: TaskUpdate,
    reply: reply({ task: Task }),
    missing: 'TASK_NOT_FOUND',
    refuses: ['AWB_TAKEN', 'INVALID_TIME', 'INVALID_TIME_WINDOW', 'TEAM_NOT_FOUND', 'FORBIDDEN_BY_SETTING'],
  },
  deleteTask: {
    method: 'DELETE',
    path: '/api/v1/tasks/awb/:awb',
    tag: 'Tasks',
    summary: 'Delete a task that is not on its way',
    scope: 'tasks:write',
    params: Type.Object({ awb: Awb }),
    reply: reply({}),
    missing: 'TASK_NOT_FOUND',
    refuses: ['TASK_IN_TRANSIT', 'TASK_ALREADY_PROCESSED'],
  },
  forceCompleteTask: {
    method: 'PUT',
    path: '/api/v1/tasks/awb/:awb/forceComplete',
    tag: 'Tasks',
    summary: 'Complete or fail a task in place of its driver',
    scope: 'tasks:write',
    params: Type.Object({ awb: Awb }),
    body: ForceCompletion,
    reply: reply({ task: Task }),
    missing: 'TASK_NOT_FOUND',
    refuses: ['TASK_NOT_ASSIGNED', 'TASK_ALREADY_PROCESSED'],
  },
  addTaskNote: {
    method: 'POST',
    path: '/api/v1/tasks/awb/:awb/notes',
    tag: 'Tasks',
    summary: 'Add a note to a task',
    scope: 'tasks:write',
    params: Type.Object({ awb: Awb }),
    body: NoteInput,
    reply: reply({ task: Task }),
    missing: 'TASK_NOT_FOUND',
    refuses: [],
  },
  bulkUnassignTasks: {
    method: 'POST',
    path: '/api/v1/tasks/bulkUnassign',
    tag: 'Tasks',
    summary: 'Take tasks back from their drivers, by awb',
    scope: 'tasks:write',
    body: Type.Object({ tasks: Each(Awb) }),
    reply: reply({
      tasks: Type.Array(Type.Object({ id: Id(), statusId: Type.Integer() })),
      results: Type.Array(AwbResult),
    }),
    refuses: ['TOO_MANY_ITEMS'],
  },
  assignTasksByAwb: {
    method: 'PUT',
    path: '/api/v1/containers/drivers/:driverId',
    tag: 'Tasks',
    summary: 'Give tasks to a driver, by awb',
    scope: 'tasks:write',
    params: Type.Object({ driverId: Id() }),
    body: Type.Object({ tasks: Type.Optional(Each(Awb)) }),
    reply: reply({ results: Type.Array(AwbResult) }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['TOO_MANY_ITEMS'],
  },
  assignTasksById: {
    method: 'POST',
    path: '/api/v1/drivers/:driverId/tasks/bulkAssign',
    tag: 'Tasks',
    summary: 'Give tasks to a driver, by id',
    scope: 'tasks:write',
    params: Type.Object({ driverId: Id() }),
    body: Type.Object({ tasks: Type.Optional(Each(Id())) }),
    reply: reply({ results: Type.Array(IdResult) }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['TOO_MANY_ITEMS'],
  },
  bulkCreateDriverTasks: {
    method: 'POST',
    path: '/api/v1/drivers/:driverId/tasks/bulkCreate',
    tag: 'Tasks',
    summary: 'Create up to 1,000 tasks for a driver',
    scope: 'tasks:write',
    params: Type.Object({ driverId: Id() }),
    body: Type.Object({ tasks: Each(DriverTaskInput) }),
    reply: reply({ results: Type.Array(BulkCreateResult) }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['TOO_MANY_ITEMS'],
  },
  listDriverTasks: {
    method: 'GET',
    path: '/api/v1/drivers/:driverId/tasks',
    tag: 'Tasks',
    summary: "List a driver's tasks: open ones first, in the order of the route",
    scope: 'tasks:read',
    params: Type.Object({ driverId: Id() }),
    query: TaskFilter,
    reply: reply({ tasks: Type.Array(Task), nextCursor: NextCursor }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['VALIDATION_FAILED', 'INVALID_TIME'],
  },
  optimizeTodayTasks: {
    method: 'POST',
    path: '/api/v1/drivers/:driverId/tasks/optimizeTodayTasks',
    tag: 'Planning',
    summary: "Put a driver's open tasks of today into a good order",
    scope: 'tasks:write',
    params: Type.Object({ driverId: Id() }),
    body: Type.Object({ traffic: Type.Optional(Nullable(Text(50))) }),
    reply: reply({ route: RouteSummary }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['FORBIDDEN_BY_SETTING'],
  },
  createDriver: {
    method: 'POST',
    path: '/api/v1/drivers',
    tag: 'Drivers',
    summary: 'Create a driver',
    scope: 'drivers:write',
    body: DriverInput,
    reply: reply({ user: Driver }),
    refuses: ['INVALID_PHONE', 'INVALID_TIME', 'TEAM_NOT_FOUND'],
  },
  listDrivers: {
    method: 'GET',
    path: '/api/v1/drivers',
    tag: 'Drivers',
    summary: 'List the drivers',
    scope: 'drivers:read',
    query: DriverQuery,
    reply: reply({ users: Type.Array(ListedDriver), nextCursor: NextCursor }),
    refuses: ['VALIDATION_FAILED'],
  },
  updateDriver: {
    method: 'PUT',
    path: '/api/v1/drivers/:driverId',
    tag: 'Drivers',
    summary: 'Change what is given, keep the rest',
    scope: 'drivers:write',
    params: Type.Object({ driverId: Id() }),
    body: DriverUpdate,
    reply: reply({ user: Driver }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['INVALID_PHONE', 'INVALID_TIME', 'TEAM_NOT_FOUND'],
  },
  deleteDriver: {
    method: 'DELETE',
    path: '/api/v1/drivers/:driverId',
    tag: 'Drivers',
    summary: 'Delete a driver; assigned tasks become unassigned',
    scope: 'drivers:write',
    params: Type.Object({ driverId: Id() }),
    query: Type.Object({ force: Type.Optional(Type.Boolean({ description: 'Also if a task is in transit' })) }),
    reply: reply({}),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['VALIDATION_FAILED', 'DRIVER_BUSY'],
  },
  inviteDriver: {
    method: 'POST',
    path: '/api/v1/drivers/:driverId/invite',
    tag: 'Drivers',
    summary: 'Make a one-time code for the driver to sign in with',
    scope: 'drivers:write',
    params: Type.Object({ driverId: Id() }),
    reply: reply({
      code: Secret('Good for one sign-in'),
      link: Secret('Opens the app with the code in it'),
      expiresAt: Time(),
    }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: [],
  },
  createTeam: {
    method: 'POST',
    path: '/api/v1/teams',
    tag: 'Teams',
    summary: 'Create a team',
    scope: 'teams:write',
    body: TeamInput,
    reply: reply({ team: Team }),
    refuses: ['HUB_NOT_FOUND', 'DRIVER_NOT_FOUND'],
  },
  listTeams: {
    method: 'GET',
    path: '/api/v1/teams',
    tag: 'Teams',
    summary: 'List the teams',
    scope: 'teams:read',
    reply: reply({ teams: Type.Array(Team) }),
    refuses: [],
  },
  updateTeam: {
    method: 'PUT',
    path: '/api/v1/teams/:teamId',
    tag: 'Teams',
    summary: 'Change what is given, keep the rest',
    scope: 'teams:write',
    params: Type.Object({ teamId: Id() }),
    body: TeamUpdate,
    reply: reply({ team: Team }),
    missing: 'TEAM_NOT_FOUND',
    refuses: ['HUB_NOT_FOUND', 'DRIVER_NOT_FOUND'],
  },
  deleteTeam: {
    method: 'DELETE',
    path: '/api/v1/teams/:teamId',
    tag: 'Teams',
    summary: 'Delete a team; its drivers and tasks stay',
    scope: 'teams:write',
    params: Type.Object({ teamId: Id() }),
    reply: reply({}),
    missing: 'TEAM_NOT_FOUND',
    refuses: [],
  },
  createHub: {
    method: 'POST',
    path: '/api/v1/hubs',
    tag: 'Hubs',
    summary: 'Create a hub',
    scope: 'teams:write',
    body: HubInput,
    reply: reply({ hub: Hub }),
    refuses: [],
  },
  listHubs: {
    method: 'GET',
    path: '/api/v1/hubs',
    tag: 'Hubs',
    summary: 'List the hubs',
    scope: 'teams:read',
    reply: reply({ hubs: Type.Array(Hub) }),
    refuses: [],
  },
  updateHub: {
    method: 'PUT',
    path: '/api/v1/hubs/:hubId',
    tag: 'Hubs',
    summary: 'Change what is given, keep the rest',
    scope: 'teams:write',
    params: Type.Object({ hubId: Id() }),
    body: HubUpdate,
    reply: reply({ hub: Hub }),
    missing: 'HUB_NOT_FOUND',
    refuses: [],
  },
  deleteHub: {
    method: 'DELETE',
    path: '/api/v1/hubs/:hubId',
    tag: 'Hubs',
    summary: 'Delete a hub that no team uses',
    scope: 'teams:write',
    params: Type.Object({ hubId: Id() }),
    reply: reply({}),
    missing: 'HUB_NOT_FOUND',
    refuses: ['HUB_IN_USE'],
  },
  loginDriver: {
    method: 'POST',
    path: '/api/v1/driver/login',
    tag: "The driver's side",
    summary: 'Sign a device in with a code',
    access: 'anybody',
    body: Type.Object({ phone: Text(50), code: Text(50) }),
    reply: reply({ token: Type.String(), user: Driver }),
    refuses: ['UNAUTHORIZED', 'RATE_LIMITED'],
  },
  listOwnTasks: {
    method: 'GET',
    path: '/api/v1/driver/tasks',
    tag: "The driver's side",
    summary: 'List my tasks: open ones first, in the order of the route',
    access: 'driver',
    query: TaskFilter,
    reply: reply({ tasks: Type.Array(Task), nextCursor: NextCursor }),
    refuses: ['VALIDATION_FAILED', 'INVALID_TIME'],
  },
  setDuty: {
    method: 'PUT',
    path: '/api/v1/driver/duty',
    tag: "The driver's side",
    summary: 'Go on or off duty',
    access: 'driver',
    body: Type.Object({ inShift: Type.Boolean() }),
    reply: reply({ user: Driver }),
    refuses: [],
  },
  acceptTask: driverVerb('accept', 'Accept a task', Type.Object({}), ['DEPENDENCY_OPEN']),
  startTask: driverVerb('start', 'Start a task', Type.Object({}), [
    'DEPENDENCY_OPEN',
    'TASK_IN_TRANSIT',
    'TASK_NOT_ACCEPTED',
  ]),
  arriveAtTask: driverVerb('arrive', 'Arrive at a task', Type.Object({}), ['TASK_NOT_STARTED']),
  completeTask: driverVerb('complete', 'Complete a task', Type.Object({}), [
    'TASK_NOT_STARTED',
    'SIGNATURE_REQUIRED',
    'DEPENDENCY_OPEN',
  ]),
  failTask: driverVerb('fail', 'Fail a task', FailureInput, []),
  addOwnNote: driverVerb('notes', 'Add a note to a task', NoteInput, []),
  createWebhook: {
    method: 'POST',
    path: '/api/v1/webHooks',
    tag: 'Webhooks',
    summary: 'Be told of one trigger by HTTP',
    scope: 'webhooks:write',
    body: WebhookInput,
    reply: reply({ webHook: WebhookWithSecret }),
    refuses: ['WEBHOOK_URL_FORBIDDEN', 'WEBHOOK_URL_NOT_VERIFIED'],
  },
  listWebhooks: {
    method: 'GET',
    path: '/api/v1/webHooks',
    tag: 'Webhooks',
    summary: 'List the webhooks',
    scope: 'webhooks:read',
    reply: reply({ webHooks: Type.Array(Webhook) }),
    refuses: [],
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/api/v1/webHooks/:webhookId',
    tag: 'Webhooks',
    summary: 'Delete a webhook and end its pending deliveries',
    scope: 'webhooks:write',
    params: Type.Object({ webhookId: Id() }),
    reply: reply({}),
    missing: 'WEBHOOK_NOT_FOUND',
    refuses: [],
  },
  getCompany: {
    method: 'GET',
    path: '/api/v1/company',
    tag: 'Company',
    summary: 'Show the organisation and its settings',
    scope: 'company:read',
    reply: reply({ company: OwnCompany }),
    refuses: [],
  },
  updateCompany: {
    method: 'PUT',
    path: '/api/v1/company',
    tag: 'Company',
    summary: 'Change the organisation or some of its settings',
    scope: 'company:write',
    body: CompanyUpdate,
    reply: reply({ company: OwnCompany }),
    refuses: [],
  },
  listKeys: {
    method: 'GET',
    path: '/api/v1/keys',
    tag: 'Keys',
    summary: 'List the keys, without their secrets',
    scope: 'keys:read',
    reply: reply({ keys: Type.Array(Key) }),
    refuses: [],
  },
  createKey: {
    method: 'POST',
    path: '/api/v1/keys',
    tag: 'Keys',
    summary: 'Create a key, with no more rights than the calling one has',
    scope: 'keys:write',
    body: KeyInput,
    reply: reply({ key: KeyWithSecret }),
    refuses: ['INVALID_TIME'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/v1/keys/:keyId',
    tag: 'Keys',
    summary: 'Revoke a key; it works nowhere a second later',
    scope: 'keys:write',
    params: Type.Object({ keyId: Id() }),
    reply: reply({}),
    missing: 'KEY_NOT_FOUND',
    refuses: [],
  },
  rotateKey: {
    method: 'POST',
    path: '/api/v1/keys/:keyId/rotate',
    tag: 'Keys',
    summary: 'Replace a key by a new one, and let the old one work for a while',
    scope: 'keys:write',
    params: Type.Object({ keyId: Id() }),
    body: KeyRotation,
    reply: reply({ key: KeyWithSecret }),
    missing: 'KEY_NOT_FOUND',
    refuses: ['KEY_REPLACED'],
  },
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationName = keyof Operations

type Part<Name extends OperationName, Key extends 'params' | 'query' | 'body'> = Operations[Name] extends {
  [key in Key]: infer Schema extends TObject
}
  ? Static<Schema>
  : undefined

export interface Input<Name extends OperationName> {
  params: Part<Name, 'params'>
  query: Part<Name, 'query'>
  body: Part<Name, 'body'>
}

/** What an operation answers beside `success`. */
export type Answer<Name extends OperationName> = Omit<Static<Operations[Name]['reply']>, 'success'>
