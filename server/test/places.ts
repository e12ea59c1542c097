import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Operation, operations } from '../../contract/operations.ts'
import type { Node as Schema } from '../../contract/read/refusal.ts'
import { asOne } from '../../contract/read/union.ts'
import { scopes } from '../../contract/scopes.ts'
import { addDays } from '../../core/day-range.ts'
import { saveSuperAdmin } from '../people/queries.ts'
import { aSubscription, aTask } from './factories.ts'
import { toFiles } from './messages.ts'
import { addPerson, anEmail, aPassword, cookieOf, fromOwnPage, signIn } from './people.ts'
import { photo } from './pictures.ts'
import { makeOrganisation, type Reply, request, type TestServer } from './server.ts'
import { until } from './until.ts'

/*
 * Every place in every operation where the id of a record can occur, found in the schemas of contract/operations. A new
 * operation is found automatically. A new kind of id is found too, and the failure says what to add here.
 */

export type Value = number | string | object
type Organisation = Awaited<ReturnType<TestServer['another']>>
type Body = Reply['body']

export interface Place {
  operation: string
  part: 'params' | 'query' | 'body'
  /** The path to it inside that part; 0 is the first item of a list. */
  steps: readonly (string | 0)[]
  kind: KindName
  /** It is in a list whose items are accepted or refused one by one. */
  isItem: boolean
  /** The caller chooses the name, so one that others use too must be harmless and reveal nothing. */
  isOwnName: boolean
}

/** The last name on the path: what a refusal calls the field, and what identifies the kind. */
export const nameOf = ({ steps }: Pick<Place, 'steps'>) => steps.findLast((step) => typeof step === 'string') as string

export const describePlace = ({ operation, part, steps }: Place) => `${operation} ${part}.${steps.join('.')}`

interface Node {
  type?: string | string[]
  anyOf?: Node[]
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minItems?: number
  'x-each'?: true
  'x-number'?: true
}

// ---- Finding ----

/** What the names stand for. A new one must be listed here, or in `notIds`. */
const kindsByName: Record<string, KindName> = {
  driverId: 'driver',
  userId: 'driver',
  drivers: 'driver',
  teamId: 'team',
  teams: 'team',
  delegateNewTasksOfTeam: 'team',
  hubId: 'hub',
  webhookId: 'webhook',
  keyId: 'key',
  personId: 'person',
  deviceId: 'device',
  absenceId: 'absence',
  driverIds: 'driver',
  conflictId: 'conflict',
  formId: 'form',
  reasonId: 'reason',
  scheduleId: 'schedule',
  templateId: 'template',
  holidayId: 'holiday',
  messageId: 'message',
  fileId: 'file',
  avatar: 'file',
  logo: 'file',
  linkId: 'proofLink',
  companyId: 'partner',
  partnerId: 'partner',
  taskId: 'task',
  taskIds: 'task',
  tasks: 'task',
  awb: 'awb',
  awbs: 'awb',
  url: 'url',
  customer: 'customer',
  customerId: 'knownCustomer',
  q: 'text',
  cursor: 'cursor',
}

/**
 * They look like ids, but are an entry of a fixed list, a sender of messages, a secret to be guessed, a number that every
 * organisation, or every phone, counts for itself, or what a caller calls an action (tasks/undo tests it).
 */
const notIds = [
  'statusId',
  'paymentTypeId',
  'driverTransportationId',
  'smsSenderId',
  'eventId',
  'opId',
  'undoId',
  'tryId',
  'delegateNewTasksTo',
  'partnerId',
  'token',
  'uuid',
  'secret',
  'deviceKey',
]

/** A scanner reads any code: one of others says as little as one of nobody. */
const ownNames: readonly KindName[] = ['url', 'customer', 'code']
/** A sync reads it in the op `load`. */
const readsCodes = (operation: string) => /scan/i.test(operation) || operation === 'syncDriver'
/** A phone names its files itself, in either order: the bytes first, or the note. */
const namesOfPhones = ['uploadFile params.fileId', 'addOwnNote body.fileId']
/** Who is asked may be nobody, and does not show. */
const namesOfOthers = ['addPartner body.companyId']

/** An awb in their body is not the name of a new task, but of one that is there. */
const aboutTasks = ['previewMessage', 'testMessage', 'createErasure', 'bulkUpdateTasks']
/** Personal data of what was deleted is still there, and can be erased. */
export const findsDeleted = ['createErasure']

const isIdSchema = (node: Node) =>
  [node.type].flat().includes('integer') && node.minimum === 1 && node.maximum === Number.MAX_SAFE_INTEGER
const isIdName = (name: string) => /(Ids?|Uuid|Token|Cursor)$|^(ids?|awbs?|uuid|token)$/.test(name)

export function findPlaces(all: Record<string, Operation>): Place[] {
  return Object.entries(all).flatMap(([operation, { params, query, body }]) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      schema ? within(schema as Node, { operation, part: part as Place['part'], steps: [], isItem: false }) : [],
    ),
  )
}

function within(given: Node, at: Omit<Place, 'kind' | 'isOwnName'>): Place[] {
  const node = asOne(given as Schema) as Node
  const alternative = node.anyOf?.find(({ type }) => type !== 'null')
  if (alternative) return within(alternative, at)
  const inner = node.items
    ? within(node.items, { ...at, steps: [...at.steps, 0], isItem: at.isItem || node['x-each'] === true })
    : Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
        within(property, { ...at, steps: [...at.steps, name] }),
      )
  const own = at.steps.length > 0 ? placeOf(node, at) : undefined
  return own ? [own, ...inner] : inner
}

function placeOf(node: Node, at: Omit<Place, 'kind' | 'isOwnName'>): Place | undefined {
  const name = nameOf(at)
  // In a body it is not the page of a list, and an unknown one is no error.
  if (name === 'cursor' && at.part === 'body') return undefined
  // Of what a phone holds an unknown one is no error, either, and one of others is unknown (erasure/phones.test.ts).
  if (name === 'holds') return undefined
  // What becomes of the tasks of a series is one of two words.
  if (name === 'tasks' && node.enum) return undefined
  // The file of an op is the file of a driver's note, by the same code.
  if (name === 'fileId' && at.operation === 'syncDriver') return undefined
  const kind = node['x-number'] ? 'awb' : name === 'code' && readsCodes(at.operation) ? 'code' : kindsByName[name]
  const isWhole = kind === 'customer' || (!node.items && !node.properties)
  const looksLikeId = at.part === 'params' || isIdSchema(node) || isIdName(name)
  if (!isWhole || notIds.includes(name) || (!kind && !looksLikeId)) return undefined
  assert.ok(
    kind,
    `${at.operation} takes ${at.part}.${at.steps.join('.')}, which looks like the id of a record. Tell server/test/places.ts ` +
      `what it stands for (kindsByName) and how to make and delete one (kinds), or that it is no id (notIds)`,
  )
  const isNewAwb =
    kind === 'awb' && at.part === 'body' && at.steps.at(-1) === 'awb' && !aboutTasks.includes(at.operation)
  const isOwnName =
    isNewAwb ||
    ownNames.includes(kind) ||
    [...namesOfPhones, ...namesOfOthers].includes(`${at.operation} ${at.part}.${at.steps.join('.')}`)
  return { ...at, kind: kind === 'file' && isForDrivers(at.operation) ? 'driversFile' : kind, isOwnName }
}

const isForDrivers = (operation: string) => (operations as Record<string, Operation>)[operation]?.access === 'driver'

// ---- The people there ----

export interface World extends Organisation {
  url: string
  receiverUrl: string
  driverId: number
  webhookId: number
  /** A task that was paid, and corrected. */
  taskId: number
  token: string
  /** Who can sign in. */
  person: Awaited<ReturnType<typeof addPerson>>
  /** Another driver of the same organisation. */
  colleagueToken: string
  teamId: number
  hubId: number
  /** Text that only this organisation may know. */
  secrets: string[]
  nextAwb: () => string
}

const mostAwbs = 400

const twinAwb = (number: number) => `REF-${number}`

/** Tasks under every awb the other organisation uses, so that a query without the tenant finds two. */
export async function addTwins({ post }: Pick<World, 'post'>, mark: string) {
  const tasks = Array.from({ length: mostAwbs }, (_, index) => ({
    awb: twinAwb(index + 1),
    details: `${mark} twin`,
    address: { address: `${mark} Street` },
  }))
  expectDone(await post('/tasks/bulkCreate', { tasks }))
}

function expectDone(reply: Reply): Body {
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

/** Only the organisation without twins knows this customer, until the other names them. */
const theirCustomer = { name: 'Ana Pop', phone: '+40722000111' }

/** An organisation with one of everything, each with the mark in it. */
export async function furnish(
  url: string,
  organisation: Organisation,
  receiverUrl: string,
  { mark, phone, hasTwin = false }: { mark: string; phone: string; hasTwin?: boolean },
): Promise<World> {
  let serial = 0
  const nextAwb = () => {
    serial += 1
    assert.ok(serial < mostAwbs, 'more tasks were made than twins: raise mostAwbs')
    return hasTwin ? twinAwb(serial) : `${organisation.organisationId}-${serial}`
  }
  const { post, put, key } = organisation
  const email = `${mark}@example.org`.toLowerCase()
  const settings = { googleApiKey: `${mark}-google`, callForwardingRecipient: `${mark}-call` }
  const logo = await sendPicture(url, key)
  expectDone(await put('/company', { name: `${mark} Company`, email, logo, phone, settings }))
  const hub = { name: `${mark} Hub`, lat: 44.4, lng: 26.1, city: `${mark} City`, streetName: `${mark} Lane` }
  const hubId = expectDone(await post('/hubs', hub)).hub.id
  const teamId = expectDone(await post('/teams', { name: `${mark} Team`, hubId })).team.id
  const signIn = async (name: string) => {
    const driver = { name: `${mark} ${name}`, phone, email, teams: [teamId] }
    const { id } = expectDone(await post('/drivers', driver)).user
    return { id: id as number, token: await signInDevice({ url, post }, id) }
  }
  const driver = await signIn('Driver')
  const colleague = await signIn('Colleague')
  const webhook = expectDone(await post('/webHooks', { url: `${receiverUrl}?${mark}`, trigger: 5 })).webHook
  const shared = expectDone(await post('/webHooks', { url: receiverUrl, trigger: 5 })).webHook
  const person = await addPerson(organisation, 'admin', `${mark} Person`)
  // So that they may see the installation, too.
  await saveSuperAdmin(organisation.database.everyone, organisation.organisationId, person.id, true)
  const spare = expectDone(await post('/keys', { name: `${mark} key` })).key

  const field = { field_key: mark, label: `${mark} field`, type: 'text' }
  expectDone(await post('/forms', { name: `${mark} form`, isDefault: true, fields: [field] }))

  const address = { address: `${mark} Street 7`, city: `${mark} City`, postalCode: `${mark}` }
  const customers = [
    { name: `${mark} Customer`, phone: '0722 000 222', email },
    {
      ...(hasTwin ? { name: `${mark} Other`, phone } : theirCustomer),
      email,
      address: `${mark} Flat`,
      addressSecondLine: `${mark} Floor`,
    },
  ]
  const tasks: { uuid: string; awb: string; id: number }[] = []
  for (const customer of customers)
    tasks.push(
      expectDone(
        await post('/tasks', {
          awb: nextAwb(),
          address,
          customer,
          details: `${mark} details`,
          customerNotes: `${mark} notes`,
          inventory: { what: mark },
          customFields: [{ key: mark, value: mark }],
          userId: driver.id,
          teamId,
          dependencies: tasks.map(({ awb }) => awb),
          totalPrice: 20,
        }),
      ).task,
    )
  const { id: taskId } = tasks[0] as { id: number }
  for (const amount of [20, -5])
    expectDone(await post(`/tasks/${taskId}/payments`, { amount, method: 'cash', note: `${mark} payment` }))
  for (const userId of [driver.id, driver.id, colleague.id])
    expectDone(await post('/cash/handIns', { userId, amount: 1, note: `${mark} hand-in` }))
  for (const awb of [nextAwb(), nextAwb()]) {
    expectDone(await post('/tasks', { awb, address }))
    expectDone(await organisation.delete(`/tasks/awb/${awb}`))
    expectDone(await post('/erasures', { awb }))
  }
  // One for each page of what the webhook was sent.
  for (const { awb } of tasks) expectDone(await post(`/tasks/awb/${awb}/notes`, { note: `${mark} note` }))

  const secrets = [
    mark,
    mark.toLowerCase(),
    phone.slice(-9),
    key,
    spare.secret,
    driver.token,
    colleague.token,
    person.email,
  ]
  return {
    ...organisation,
    url,
    receiverUrl,
    driverId: driver.id,
    webhookId: webhook.id,
    taskId,
    person,
    token: driver.token,
    colleagueToken: colleague.token,
    teamId,
    hubId,
    nextAwb,
    secrets: [...secrets, webhook.secret, shared.secret, ...tasks.map(({ uuid }) => uuid)],
  }
}

let callers = 0
/** Wrong keys are limited per address, which is not tested here: each request has its own address. */
export function fromAnywhere() {
  callers += 1
  return { 'x-forwarded-for': `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}` }
}
/** For that, the server must trust the proxy. Messages go somewhere, too. */
export const environment = { WAYBILL_TRUST_PROXY: 'true', ...toFiles }

// ---- Making ----

interface Kind {
  make: (world: World, mark?: string) => Promise<Value>
  /** Not everything can be deleted. */
  remove?: (world: World, value: Value) => Promise<unknown>
  missing: Value
}
/** Sends a picture, as the office or as a driver does. */
async function sendPicture(url: string, key: string, as: 'office' | 'driver' = 'office'): Promise<string> {
  const [method, path] = as === 'office' ? ['POST', 'files'] : ['PUT', `driver/files/${randomUUID()}`]
  const reply = await request(url, method as string, `/api/v1/${path}`, { key, raw: photo, headers: asPicture })
  return expectDone(reply).file.id
}
const asPicture = { 'content-type': 'image/jpeg' }

/** Another phone of a driver; its token. */
async function signInDevice({ url, post }: Pick<World, 'url' | 'post'>, driverId: number): Promise<string> {
  const { link } = expectDone(await post(`/drivers/${driverId}/invite`))
  const body = { secret: link.split('#')[1] }
  return expectDone(await request(url, 'POST', '/api/v1/driver/login', { body, headers: fromAnywhere() })).token
}

async function makeDevice(world: World, driverId = world.driverId): Promise<number> {
  await signInDevice(world, driverId)
  return expectDone(await world.get(`/drivers/${driverId}/devices`)).devices.at(-1).id
}

let holidaysMade = 0
/** A day stands once in the list of holidays. */
const aFreeDay = () => addDays('2040-01-01', ++holidaysMade)

const makeAbsence = async ({ post }: Pick<World, 'post'>, driverId: number, mark = 'Own'): Promise<number> =>
  expectDone(await post(`/drivers/${driverId}/absences`, { from: '2030-01-07', reason: mark })).absence.id

type KindName =
  | 'driver'
  | 'team'
  | 'hub'
  | 'webhook'
  | 'key'
  | 'person'
  | 'device'
  | 'absence'
  | 'conflict'
  | 'form'
  | 'reason'
  | 'schedule'
  | 'template'
  | 'holiday'
  | 'proofLink'
  | 'partner'
  | 'message'
  | 'task'
  | 'awb'
  | 'code'
  | 'url'
  | 'file'
  | 'driversFile'
  | 'customer'
  | 'knownCustomer'
  | 'text'
  | 'cursor'

const nobodysId = 999_999_999

const makeTask = async ({ post, driverId, nextAwb }: World, mark = 'Own') =>
  expectDone(await post('/tasks', { awb: nextAwb(), details: mark, address: { address: mark }, userId: driverId })).task

/** Another organisation that both sides call a partner. */
export async function makePartner(world: World, mark = 'Own'): Promise<Organisation> {
  const partner = await makeOrganisation(world)
  expectDone(await partner.put('/company', { name: `${mark} Partner` }))
  expectDone(await world.post('/partners', { companyId: partner.organisationId }))
  expectDone(await partner.post('/partners', { companyId: world.organisationId }))
  return partner
}

/** A task that nobody drives, as one that is given away must be. */
const makeWaiting = async ({ post, nextAwb }: World): Promise<number> =>
  expectDone(await post('/tasks', { awb: nextAwb(), address: { address: 'Somewhere' } })).task.id

/** A task that failed, by its AWB. */
async function makeFailed(world: World, mark?: string): Promise<string> {
  const { awb } = await makeTask(world, mark)
  expectDone(await world.put(`/tasks/awb/${awb}/forceComplete`, { success: false }))
  return awb
}

/** A task that a partner has. */
async function makeDelegated(world: World, own: Own): Promise<number> {
  const taskId = await makeWaiting(world)
  expectDone(await world.put(`/tasks/${taskId}/delegate`, { companyId: await own('partner') }))
  return taskId
}

const makeProofLink = async (world: World, awb?: string) =>
  expectDone(await world.post('/proofLinks', { awbs: [awb ?? (await makeTask(world)).awb] })).proofLink

/** A filter that finds nothing proves nothing, so every driver and team has a task. */
const addTask = async ({ post }: World, given: object) =>
  expectDone(await post('/tasks', { address: { address: 'Somewhere' }, ...given }))

export const kinds: Record<KindName, Kind> = {
  driver: {
    make: async (world, mark = 'Own') => {
      const driver = { name: mark, phone: '0722 000 333', teams: [world.teamId] }
      const { id } = expectDone(await world.post('/drivers', driver)).user
      await addTask(world, { userId: id })
      return id
    },
    remove: (world, id) => world.delete(`/drivers/${id}`),
    missing: nobodysId,
  },
  team: {
    make: async (world, mark = 'Own') => {
      const team = { name: mark, hubId: world.hubId, drivers: [world.driverId] }
      const { id } = expectDone(await world.post('/teams', team)).team
      await addTask(world, { teamId: id })
      return id
    },
    remove: (world, id) => world.delete(`/teams/${id}`),
    missing: nobodysId,
  },
  hub: {
    make: async ({ post }, mark = 'Own') => expectDone(await post('/hubs', { name: mark, lat: 44, lng: 26 })).hub.id,
    remove: (world, id) => world.delete(`/hubs/${id}`),
    missing: nobodysId,
  },
  webhook: {
    make: async ({ post, receiverUrl }) =>
      expectDone(await post('/webHooks', { url: receiverUrl, trigger: 5 })).webHook.id,
    remove: (world, id) => world.delete(`/webHooks/${id}`),
    missing: nobodysId,
  },
  key: {
    make: async ({ post }, mark = 'Own') => expectDone(await post('/keys', { name: mark })).key.id,
    remove: (world, id) => world.delete(`/keys/${id}`),
    missing: nobodysId,
  },
  person: {
    make: async ({ post }, mark = 'Own') =>
      expectDone(await post('/people', { email: anEmail(), name: mark })).person.id,
    remove: (world, id) => world.delete(`/people/${id}`),
    missing: nobodysId,
  },
  device: {
    make: (world) => makeDevice(world),
    remove: (world, id) => world.delete(`/drivers/${world.driverId}/devices/${id}`),
    missing: nobodysId,
  },
  absence: {
    make: ({ post, driverId }, mark) => makeAbsence({ post }, driverId, mark),
    remove: (world, id) => world.delete(`/drivers/${world.driverId}/absences/${id}`),
    missing: nobodysId,
  },
  conflict: {
    make: async (world, mark) => {
      const { id, awb } = await makeTask(world, mark)
      expectDone(await world.post('/tasks/bulkUnassign', { tasks: [awb] }))
      await request(world.url, 'POST', `/api/v1/driver/tasks/${id}/complete`, { key: world.token, body: {} })
      return expectDone(await world.get('/conflicts')).conflicts.at(-1).id
    },
    missing: nobodysId,
  },
  form: {
    make: async ({ post }, mark = 'Own') => expectDone(await post('/forms', { name: mark, fields: [] })).form.id,
    remove: (world, id) => world.delete(`/forms/${id}`),
    missing: nobodysId,
  },
  reason: {
    make: async ({ post }, mark = 'Own') =>
      expectDone(await post('/reasons', { code: randomUUID(), label: mark, labels: { ro: mark } })).reason.id,
    remove: (world, id) => world.delete(`/reasons/${id}`),
    missing: nobodysId,
  },
  schedule: {
    // Paused, so that it makes no tasks among those of the test.
    make: async ({ post }, mark = 'Own') => {
      const body = { name: mark, task: aTask(), repeats: { every: 'day' }, isPaused: true }
      return expectDone(await post('/schedules', body)).schedule.id
    },
    remove: (world, id) => world.delete(`/schedules/${id}`),
    missing: nobodysId,
  },
  template: {
    make: async ({ post }, mark = 'Own') =>
      expectDone(await post('/taskTemplates', { name: mark, task: {} })).template.id,
    remove: (world, id) => world.delete(`/taskTemplates/${id}`),
    missing: nobodysId,
  },
  holiday: {
    make: async ({ post }, mark = 'Own') =>
      expectDone(await post('/holidays', { day: aFreeDay(), name: mark })).holiday.id,
    remove: (world, id) => world.delete(`/holidays/${id}`),
    missing: nobodysId,
  },
  proofLink: {
    make: async (world) => (await makeProofLink(world)).id,
    remove: (world, id) => world.delete(`/proofLinks/${id}`),
    missing: nobodysId,
  },
  partner: {
    make: async (world, mark) => (await makePartner(world, mark)).organisationId,
    remove: (world, id) => world.delete(`/partners/${id}`),
    missing: nobodysId,
  },
  message: {
    // The task has no customer, so it is skipped, and may be sent again.
    make: async (world, mark) => {
      await world.put('/company', { settings: { messageOnItsWay: true } })
      const { id } = await makeTask(world, mark)
      await request(world.url, 'POST', `/api/v1/driver/tasks/${id}/start`, { key: world.token, body: {} })
      return until('the message to end', async () => {
        const [message] = expectDone(await world.get(`/messages?taskId=${id}`)).messages
        return message?.canRetry && message.id
      })
    },
    missing: nobodysId,
  },
  task: {
    make: async (world, mark) => (await makeTask(world, mark)).id,
    remove: async (world, id) =>
      world.delete(`/tasks/awb/${expectDone(await world.get(`/tasks/${id}`)).task.awb as string}`),
    missing: nobodysId,
  },
  awb: {
    make: async (world, mark) => (await makeTask(world, mark)).awb,
    remove: (world, awb) => world.delete(`/tasks/awb/${awb}`),
    missing: 'REF-NOBODYS',
  },
  code: {
    make: async (world, mark) => (await makeTask(world, mark)).awb,
    remove: (world, awb) => world.delete(`/tasks/awb/${awb}`),
    missing: 'REF-NOBODYS',
  },
  file: { make: ({ url, key }) => sendPicture(url, key), missing: '00000000-0000-4000-8000-000000000000' },
  driversFile: {
    make: ({ url, token }) => sendPicture(url, token, 'driver'),
    missing: '00000000-0000-4000-8000-000000000001',
  },
  url: { make: async ({ receiverUrl }) => receiverUrl, missing: 'http://127.0.0.1:9/nobodys' },
  customer: { make: async () => theirCustomer, missing: { name: 'Nobody', phone: '+40722000999' } },
  knownCustomer: {
    make: async (world, mark = 'Own') =>
      (await addTask(world, { customer: { name: `${mark} known` } })).task.customer.id,
    missing: nobodysId,
  },
  text: {
    make: async (world, mark = 'Own') => {
      await makeTask(world, mark)
      await kinds.driver.make(world, mark)
      return mark
    },
    remove: async (world, mark) => {
      for (const { awb } of expectDone(await world.get(`/tasks?q=${mark}`)).tasks)
        expectDone(await world.delete(`/tasks/awb/${awb}`))
      for (const { id } of expectDone(await world.get(`/drivers?q=${mark}`)).users)
        expectDone(await world.delete(`/drivers/${id}`))
    },
    missing: 'Nobody has this text',
  },
  cursor: { make: async () => Buffer.from('0').toString('base64url'), missing: 'nobodys' },
}

// ---- Asking ----

/** A request without who sends it. */
export interface Ask {
  method: string
  path: string
  headers?: Record<string, string>
  body?: unknown
  raw?: Uint8Array<ArrayBuffer>
}

/** What a valid request contains where the schema is not enough. */
const samples: Record<string, (world: World) => unknown> = {
  phone: () => '0722 000 444',
  to: () => '0722 000 444',
  email: () => anEmail(),
  currentPassword: () => aPassword,
  password: () => aPassword,
  url: ({ receiverUrl }) => receiverUrl,
  deviceTime: () => new Date().toISOString(),
  occurredAt: () => new Date().toISOString(),
  opId: () => randomUUID(),
  undoId: () => randomUUID(),
  endpoint: () => aSubscription().endpoint,
  keys: () => aSubscription().keys,
  amount: () => 1,
  from: () => '2030-01-07',
  day: () => aFreeDay(),
  code: () => randomUUID(),
  address: () => ({ address: 'Own Street 1', lat: 44.4, lng: 26.1 }),
}

/** What a path must name so that its records, and those in the body, belong together. */
const belonging: Record<string, (world: World, own: Own, place?: Place, value?: unknown) => object | Promise<object>> =
  {
    async revokeDevice(world, own, place, value) {
      if (!place || nameOf(place) !== 'driverId') return { driverId: world.driverId, deviceId: await own('device') }
      const driverId = value as number
      const isOwn = (await world.get(`/drivers/${driverId}/devices`)).status === 200
      return { driverId, deviceId: await (isOwn ? makeDevice(world, driverId) : own('device')) }
    },
    async deleteAbsence(world, own, place, value) {
      if (!place || nameOf(place) !== 'driverId') return { driverId: world.driverId, absenceId: await own('absence') }
      const driverId = value as number
      const isOwn = (await world.get(`/drivers/${driverId}/absences`)).status === 200
      return { driverId, absenceId: await (isOwn ? makeAbsence(world, driverId) : own('absence')) }
    },
    orderDriverTasks: ({ driverId }) => ({ driverId }),
    /** What was sent to the webhook: the latest change of a task. */
    async getDelivery(world, own, place, value) {
      const webhookId = (place ? value : await own('webhook')) as number
      const path = `/webHooks/${webhookId}/deliveries`
      if ((await world.get(path)).status !== 200) return { webhookId, eventId: 1 }
      const { awb } = await makeTask(world)
      await world.put(`/tasks/awb/${awb}`, { priority: 5 })
      const [delivery] = expectDone(await world.get(path)).deliveries
      return { webhookId, eventId: delivery?.eventId ?? 1 }
    },
    uploadFile: () => ({ fileId: randomUUID() }),
    delegateTask: async (world) => ({ taskId: await makeWaiting(world) }),
    undelegateTask: async (world, own) => ({ taskId: await makeDelegated(world, own) }),
    /** The page of a task shows the logo, which only a file of their own can be. */
    async getTrackingFile(world, own, place, value) {
      const fileId = place ? value : await own('file')
      await world.put('/company', { logo: fileId })
      return { uuid: expectDone(await world.get(`/tasks/${world.taskId}`)).task.uuid, fileId }
    },
    showProofs: async (world) => ({ secret: (await makeProofLink(world)).link.split('/p/')[1] }),
    getLinkedProofs: async (world) => ({ secret: (await makeProofLink(world)).link.split('/p/')[1] }),
    /** The page shows the logo, which only a file of their own can be. */
    async getLinkedPicture(world, own, place, value) {
      const fileId = place ? value : await own('file')
      await world.put('/company', { logo: fileId })
      return { secret: (await makeProofLink(world)).link.split('/p/')[1], fileId }
    },
  }

/** What a query must contain although none of it is required. */
const queries: Record<string, (own: Own) => Promise<object>> = {
  getProofs: async (own) => ({ taskIds: await own('task') }),
  getLabels: async (own) => ({ awbs: await own('awb') }),
  getPersonalData: async () => ({ phone: '0722 000 222' }),
  suggestPlaces: async () => ({ q: 'Own Street' }),
}

let daysUsed = 0
/** A day that nobody has closed. */
const anotherDay = () => new Date(Date.UTC(2001, 0, ++daysUsed)).toISOString().slice(0, 10)

/** What a body must contain although no field of it is required. */
const contents: Record<string, (own: Own, place: Place | undefined, world: World) => object | Promise<object>> = {
  addTaskNote: () => ({ note: 'text' }),
  addOwnNote: () => ({ note: 'text' }),
  createReason: () => ({ label: 'text' }),
  updateSchedule: () => ({ task: aTask() }),
  closeOutCash: () => ({ day: anotherDay(), note: 'text' }),
  async correctCash(own, _, world) {
    const [userId, day] = [await own('driver'), anotherDay()]
    expectDone(await world.post('/cash/closeOuts', { userId, day, counted: 0 }))
    return { userId, day }
  },
  createHub: () => ({ lat: 44.4, lng: 26.1 }),
  bulkDelegateTasks: async (_, __, world) => ({ tasks: [await makeWaiting(world)] }),
  bulkUndelegateTasks: async (own, _, world) => ({ tasks: [await makeDelegated(world, own)] }),
  bulkReattemptTasks: async (_, place, world) => (place?.kind === 'awb' ? {} : { tasks: [await makeFailed(world)] }),
  bulkReturnTasks: async (_, place, world) => (place?.kind === 'awb' ? {} : { tasks: [await makeFailed(world)] }),
  bulkCloseTasks: async (_, place, world) => (place?.kind === 'awb' ? {} : { tasks: [await makeFailed(world)] }),
  createErasure: (_, place) => (place ? {} : { phone: '0722 000 999' }),
  // Without a place one is enough; all that wait keep the planner busy for a second.
  planAssignments: async (own, place) => (place ? {} : { awbs: [await own('awb')] }),
  async undoChanges(_, __, world) {
    const undoId = randomUUID()
    const { awb } = await makeTask(world)
    expectDone(await world.post('/tasks/bulkUnassign', { tasks: [awb], undoId }))
    return { undoId }
  },
  async syncDriver(own, place, { url, token }) {
    const op = { opId: randomUUID(), occurredAt: new Date().toISOString() }
    if (place?.kind !== 'code') return { ops: [{ ...op, type: 'start', taskId: await own('task') }] }
    // With a cursor it answers only what the op itself changed.
    const body = { deviceTime: new Date().toISOString() }
    const { cursor } = expectDone(await request(url, 'POST', '/api/v1/driver/sync', { key: token, body }))
    return { cursor, ops: [{ ...op, type: 'load' }] }
  },
}

/** Where the caller's own records come from: made for the request, unless there are some to reuse. */
export type Own = (kind: KindName) => Promise<Value>

export function reusing(world: World): Own {
  const made = new Map<KindName, Promise<Value>>()
  return (kind) => made.getOrInsertComputed(kind, () => kinds[kind].make(world))
}

async function sample(world: World, own: Own, node: Node, name: string): Promise<unknown> {
  if (samples[name]) return samples[name](world)
  if (name === 'fileId') return own('file')
  if (isIdSchema(node) || node['x-number']) return own(node['x-number'] ? 'awb' : kindsByName[name]!)
  if (node.properties) {
    const required = node.required ?? []
    const fields = required.map(async (field) => [field, await sample(world, own, node.properties![field]!, field)])
    return Object.fromEntries(await Promise.all(fields))
  }
  if (node.items) return node.minItems || node['x-each'] ? [await sample(world, own, node.items, name)] : []
  if (node.enum) return node.enum[0]
  const [type] = [node.type].flat()
  return type === 'boolean' ? true : type === 'string' ? 'text' : (node.minimum ?? 0)
}

function put(target: Body, [step, ...rest]: Place['steps'], value: unknown) {
  if (step === undefined) return value
  const inner = target?.[step]
  const holder = target ?? (step === 0 ? [] : {})
  holder[step] = put(inner, rest, value)
  return holder
}

/** A request that is valid except for what is put into the place. */
export async function ask(
  world: World,
  name: string,
  place?: Place,
  value?: unknown,
  own: Own = (kind) => kinds[kind].make(world),
): Promise<Ask> {
  const { method, path, params, body, upload }: Operation = operations[name as keyof typeof operations]
  const given: Record<string, Body> = {
    params:
      (await belonging[name]?.(world, own, place, value)) ??
      (params ? await sample(world, own, params as Node, '') : {}),
    body: body && {
      ...(await (sample(world, own, body as Node, '') as Promise<object>)),
      ...(await contents[name]?.(own, place, world)),
    },
    query: (!place && (await queries[name]?.(own))) || {},
  }
  if (place) given[place.part] = put(given[place.part], place.steps, value)
  const filled = path.replace(/:(\w+)/g, (_, parameter) => encodeURIComponent(String(given['params'][parameter])))
  const query = new URLSearchParams(given['query']).toString()
  return {
    method,
    path: query ? `${filled}?${query}` : filled,
    ...(body && { body: given['body'] }),
    ...(upload && { raw: photo, headers: asPicture }),
  }
}

/** What identifies somebody who may call this operation. */
export async function credentialsFor(
  world: World,
  name: string,
): Promise<{ key?: string; headers?: Record<string, string> }> {
  const { access }: Operation = operations[name as keyof typeof operations]
  if (name === 'signOutDevice') return { key: await signInDevice(world, world.driverId) }
  if (access === 'driver') return { key: world.token }
  if (access === 'person') return { headers: { ...fromOwnPage, cookie: await signInAnew(world) } }
  return !access || access === 'member' ? { key: world.key } : {}
}

/** A session for one request, which may end it. */
async function signInAnew({ url, person }: World) {
  const reply = await signIn(url, person.email, aPassword, fromAnywhere())
  expectDone(reply)
  return cookieOf(reply)
}

const giveToNew = (world: World) => makeDelegated(world, (kind) => kinds[kind].make(world))

/** Who takes only tasks in a certain state. */
const inState: Record<string, (world: World) => Promise<Value>> = {
  delegateTask: makeWaiting,
  bulkDelegateTasks: makeWaiting,
  undelegateTask: giveToNew,
  bulkUndelegateTasks: giveToNew,
  bulkReattemptTasks: makeFailed,
  bulkReturnTasks: makeFailed,
  bulkCloseTasks: makeFailed,
}

/** Sends a request that must reach the record: it succeeds, or is refused only because of the record's state. */
export async function askForOwn(world: World, name: string, place?: Place): Promise<Reply> {
  const isNewAwb = place?.kind === 'awb' && place.isOwnName
  const make =
    place && (((place.kind === 'task' || place.kind === 'awb') && inState[place.operation]) || kinds[place.kind].make)
  const value = isNewAwb ? world.nextAwb() : make && (await make(world))
  const { method, path, ...sent } = await ask(world, name, place, value)
  const options = { ...sent, ...(await credentialsFor(world, name)) }
  let reply = await request(world.url, method, path, options)
  if (reply.body.error?.code === 'TASK_NOT_STARTED') {
    await request(world.url, 'POST', path.replace(/\w+$/, 'start'), options)
    reply = await request(world.url, method, path, options)
  }
  const [item] = reply.body.results ?? []
  const isDone = reply.status === 200 && item?.success !== false
  const says = `${place ? describePlace(place) : name} answered ${reply.status} to what should be right: ${reply.text}`
  assert.ok(isDone || reply.status === 409, `${says}\nTell server/test/places.ts how to ask for it (samples)`)
  return reply
}

/** A key with every scope except one. */
export async function keyWithout({ post }: World, scope: string): Promise<string> {
  const others = scopes.filter((other) => other !== scope)
  return expectDone(await post('/keys', { name: `All but ${scope}`, scopes: others })).key.secret
}
