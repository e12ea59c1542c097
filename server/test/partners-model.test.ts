import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver, signIn } from './factories.ts'
import { listSplits } from './pairs.ts'
import { createPartnersModel, type Parcel, type Part, type PartnersModel, type Refused } from './partners-model.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { type Reply, request, startServer, type TestServer } from './server.ts'

/*
 * Three organisations that are partners, end it and begin again, give each other tasks, take and give them back, and all
 * do to them whatever they like: against a model in which a parcel is one thing. Deterministic by seed: a failure prints
 * it, and WAYBILL_SEED=… repeats it.
 */

const seed = seedOr(20_261_118)
const amounts = amountsOf('partners')
const count = 3

type Organisation = Awaited<ReturnType<TestServer['another']>>
interface Driver {
  id: number
  name: string
  phone: string
  token: string
}
type Party = Organisation & { drivers: Driver[]; lastEventId: number }

// ---- What may happen ----

const party = fc.nat({ max: count - 1 })
/** Whoever it is, or whoever does the work, or whose it is. */
const actor = fc.oneof(
  { weight: 4, arbitrary: fc.constant('last' as const) },
  { weight: 2, arbitrary: fc.constant('first' as const) },
  { weight: 3, arbitrary: party },
)
const index = fc.nat({ max: 20 })
const kind = <const Kind extends string, Plan>(name: Kind, plan: { [Key in keyof Plan]: fc.Arbitrary<Plan[Key]> }) =>
  fc.record({ kind: fc.constant(name), ...plan }) as unknown as fc.Arbitrary<{ kind: Kind } & Plan>

const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: kind('create', {
      party,
      awb: fc.constantFrom<string | undefined>('X-1', 'X-2', 'X-3', undefined),
      price: fc.constantFrom(50, 80),
    }),
  },
  {
    weight: 12,
    arbitrary: kind('delegate', { actor, next: fc.constantFrom(1, 2, 1, 2, 0), parcel: index, isBulk: fc.boolean() }),
  },
  { weight: 5, arbitrary: kind('undelegate', { actor, parcel: index, isBulk: fc.boolean() }) },
  { weight: 9, arbitrary: kind('assign', { actor, parcel: index, driver: fc.nat({ max: 1 }) }) },
  { weight: 3, arbitrary: kind('unassign', { actor, parcel: index }) },
  {
    weight: 9,
    arbitrary: kind('act', {
      parcel: index,
      verb: fc.constantFrom('start', 'start', 'arrive', 'complete', 'fail', 'note', 'payment'),
    }),
  },
  { weight: 3, arbitrary: kind('force', { actor, parcel: index, isDone: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: kind('edit', {
      actor,
      parcel: index,
      edit: fc.record(
        { details: fc.constantFrom('Box', 'Bag'), quantity: fc.constantFrom(1, 2), price: fc.constantFrom(50, 80) },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 2, arbitrary: kind('prioritise', { actor, parcel: index, priority: fc.nat({ max: 2 }) }) },
  { weight: 2, arbitrary: kind('remove', { actor, parcel: index }) },
  { weight: 4, arbitrary: kind('note', { actor, parcel: index }) },
  { weight: 4, arbitrary: kind('pay', { actor, parcel: index, amount: fc.constantFrom(-10, 10, 30) }) },
  { weight: 3, arbitrary: kind('agree', { party, to: party }) },
  { weight: 1, arbitrary: kind('end', { party, to: party }) },
  { weight: 2, arbitrary: kind('settings', { party, mayModify: fc.boolean(), mayGiveBack: fc.boolean() }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer Planned> ? Planned : never

// ---- Doing it ----

function assertTold(code: string | undefined, refused: Refused, doing: string) {
  if (!refused) assert.equal(code, undefined, `${doing} must succeed`)
  else assert.ok(refused.includes(code as string), `${doing}: ${code} instead of ${refused.join(' or ')}`)
}

const codeOf = ({ body }: Reply): string | undefined => body.error?.code ?? body.results?.[0]?.error?.code

let notes = 0

async function perform(url: string, parties: Party[], model: PartnersModel, planned: Operation): Promise<void> {
  const { parcels } = model
  if (planned.kind === 'create') {
    const own = parties[planned.party] as Party
    const { awb, price } = planned
    const isTaken = awb !== undefined && model.isTaken(planned.party, awb)
    const customer = { name: 'Ana', phone: '0722000111' }
    const reply = await own.post(
      '/tasks',
      aTask({ ...(awb && { awb }), totalPrice: price, details: 'Box', quantity: 1, customer }),
    )
    assertTold(codeOf(reply), isTaken ? ['AWB_TAKEN'] : undefined, 'creating')
    const { task } = reply.body
    if (!isTaken) model.create(planned.party, { id: task.id, awb: task.awb, price, details: 'Box' })
    return
  }
  if (planned.kind === 'agree' || planned.kind === 'end') {
    const [own, other] = [parties[planned.party], parties[planned.to]] as [Party, Party]
    if (planned.party === planned.to) return
    if (planned.kind === 'agree') {
      const reply = await own.post('/partners', { companyId: other.organisationId })
      model.agree(planned.party, planned.to)
      const state = model.arePartners(planned.party, planned.to) ? 'partner' : 'asked'
      assert.equal(reply.body.partner.state, state, reply.text)
    } else {
      const reply = await own.delete(`/partners/${other.organisationId}`)
      assertTold(codeOf(reply), model.endPartnership(planned.party, planned.to), 'ending')
    }
    return
  }
  if (planned.kind === 'settings') {
    const { mayModify, mayGiveBack } = planned
    const own = parties[planned.party] as Party
    Object.assign(model.parties[planned.party] as object, { mayModify, mayGiveBack })
    const settings = { canExecutorsModifyDelegatedTasks: mayModify, canExecutorsUndelegateTasks: mayGiveBack }
    assert.equal((await own.put('/company', { settings })).status, 200)
    return
  }

  const parcel = parcels[planned.parcel % Math.max(1, parcels.length)]
  if (!parcel) return
  if (planned.kind === 'act') return act(url, parties, model, parcel, planned.verb)
  const by =
    planned.actor === 'last'
      ? model.last(parcel).party
      : planned.actor === 'first'
        ? (parcel.parts[0] as Part).party
        : planned.actor
  const own = parties[by] as Party
  const part = model.partOf(parcel, by)
  if (!part) return assertUnknown(own, model.last(parcel), planned.kind)

  switch (planned.kind) {
    case 'delegate': {
      const to = (by + planned.next) % count
      const other = parties[to] as Party
      const refused = model.judgeDelegation(parcel, by, to)
      const { organisationId: companyId } = other
      const reply = planned.isBulk
        ? await own.put('/tasks/bulkDelegate', { tasks: [part.id], companyId })
        : await own.put(`/tasks/${part.id}/delegate`, { companyId })
      assertTold(codeOf(reply), refused, `giving ${part.awb} to ${to}`)
      if (refused) {
        if (refused[0] === 'PARTNER_NOT_FOUND')
          assert.deepEqual([reply.status, reply.body.error.field], [400, 'companyId'])
        return
      }
      const known = new Set(parcels.flatMap(({ parts }) => parts.map(({ id }) => id)))
      const found = (await other.get('/tasks')).body.tasks.filter(({ id }: { id: number }) => !known.has(id))
      assert.equal(found.length, 1, 'the partner has one more task')
      const { id, awb } = found[0]
      if (model.isTaken(to, part.awb)) assert.ok(!model.isTaken(to, awb), 'a taken AWB becomes another')
      else assert.equal(awb, part.awb)
      model.delegate(parcel, to, { id, awb })
      return
    }
    case 'undelegate': {
      const reply = planned.isBulk
        ? await own.put('/tasks/bulkUndelegate', { tasks: [part.id] })
        : await own.put(`/tasks/${part.id}/undelegate`)
      const before = [...parcel.parts]
      assertTold(codeOf(reply), model.undelegate(parcel, by), `back with ${part.awb}`)
      for (const lost of before.filter((one) => !parcel.parts.includes(one)))
        await assertUnknown(parties[lost.party] as Party, lost, 'assign')
      return
    }
    case 'assign': {
      const driver = own.drivers[planned.driver] as Driver
      const reply = await own.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [part.id] })
      return assertTold(codeOf(reply), model.assign(parcel, by, driver.id), `assigning ${part.awb}`)
    }
    case 'unassign': {
      const reply = await own.post('/tasks/bulkUnassign', { tasks: [part.awb] })
      assertTold(codeOf(reply), model.unassign(parcel, by), `unassigning ${part.awb}`)
      return assert.deepEqual(reply.body.tasks, [{ id: part.id, statusId: parcel.statusId }])
    }
    case 'force': {
      const { isDone } = planned
      const failureReason = isDone ? undefined : 'Lost'
      const reply = await own.put(`/tasks/awb/${part.awb}/forceComplete`, { success: isDone, failureReason })
      return assertTold(codeOf(reply), model.force(parcel, by, isDone, 'Lost'), `forcing ${part.awb}`)
    }
    case 'edit': {
      const { price, ...edit } = planned.edit
      // What was paid stays paid, whatever the price becomes: tasks/money tests that.
      const wanted = { ...edit, ...(price !== undefined && parcel.paid === 0 && { price }) }
      const body = { ...edit, ...(wanted.price !== undefined && { totalPrice: wanted.price }) }
      if (Object.keys(body).length === 0) return
      const reply = await own.put(`/tasks/awb/${part.awb}`, body)
      return assertTold(codeOf(reply), model.edit(parcel, by, wanted), `editing ${part.awb}`)
    }
    case 'prioritise': {
      const { priority } = planned
      assert.equal((await own.put(`/tasks/awb/${part.awb}`, { priority })).status, 200)
      return model.prioritise(parcel, by, priority)
    }
    case 'remove': {
      const reply = await own.delete(`/tasks/awb/${part.awb}`)
      return assertTold(codeOf(reply), model.remove(parcel, by), `deleting ${part.awb}`)
    }
    case 'note': {
      const note = `Note ${++notes}`
      assert.equal((await own.post(`/tasks/awb/${part.awb}/notes`, { note })).status, 200)
      return model.note(parcel, note)
    }
    case 'pay': {
      const { amount } = planned
      const reply = await own.post(`/tasks/${part.id}/payments`, { amount, method: 'cash' })
      return assertTold(codeOf(reply), model.pay(parcel, amount), `${amount} for ${part.awb}`)
    }
  }
}

/** What somebody has no part in is unknown to them, whatever they try. */
async function assertUnknown(own: Organisation, { id }: Part, kind: string) {
  const reply = kind === 'undelegate' ? await own.put(`/tasks/${id}/undelegate`) : await own.get(`/tasks/${id}`)
  assert.deepEqual([reply.status, codeOf(reply)], [404, 'TASK_NOT_FOUND'], `${kind} of what is somebody else’s`)
}

/** The driver does something who has it, if anybody does. */
async function act(
  url: string,
  parties: Party[],
  model: PartnersModel,
  parcel: Parcel,
  verb: 'start' | 'arrive' | 'complete' | 'fail' | 'note' | 'payment',
) {
  const { party, id } = model.last(parcel)
  const driver = (parties[party] as Party).drivers.find((one) => one.id === parcel.driver)
  if (!driver || parcel.statusId >= 9) return
  const call = (path: string, body: object) =>
    request(url, 'POST', `/api/v1/driver${path}`, { key: driver.token, body })
  if (verb === 'note') {
    const note = `Note ${++notes}`
    assert.equal((await call(`/tasks/${id}/notes`, { note })).status, 200)
    return model.note(parcel, note)
  }
  if (verb === 'payment') {
    const deviceTime = new Date().toISOString()
    const op = { opId: randomUUID(), type: 'payment', taskId: id, occurredAt: deviceTime, amount: 30, method: 'cash' }
    const reply = await call('/sync', { deviceTime, ops: [op] })
    return assertTold(reply.body.results[0].error?.code, model.pay(parcel, 30), 'collecting 30')
  }
  const reply = await call(`/tasks/${id}/${verb}`, verb === 'fail' ? { reason: 'Nobody home' } : {})
  assertTold(codeOf(reply), model.act(parcel, verb, 'Nobody home'), `${verb} of ${id}`)
}

// ---- Looking ----

// biome-ignore lint/suspicious/noExplicitAny: the wire shape is checked by assertConforms
type Wire = any

/** What everybody who has a part in it sees alike. */
const times = (task: Wire) =>
  JSON.stringify([task.startedAt, task.arrivalTime, task.completedAt, task.acceptedAt, task.driverArrived])

async function assertState(parties: Party[], model: PartnersModel) {
  const seen = new Map<number, Wire>()
  for (const [at, own] of parties.entries()) {
    const { tasks } = (await own.get('/tasks')).body
    for (const task of tasks) seen.set(task.id, task)
    const wanted = model.parcels.flatMap((parcel) => {
      const place = model.placeOf(parcel, at)
      return place < 0 ? [] : [expected(parties, model, parcel, place)]
    })
    assert.deepEqual(
      tasks.map(shown),
      wanted.sort((one, other) => one.id - other.id),
      `what ${at} sees`,
    )
  }
  for (const { parts, statusId } of model.parcels) {
    const told = new Set(parts.map(({ id }) => times(seen.get(id))))
    assert.equal(told.size, 1, `times of ${parts[0]?.awb}: ${[...told].join(' and ')}`)
    const { startedAt, completedAt } = seen.get((parts[0] as Part).id)
    assert.equal(completedAt !== null, statusId >= 9)
    if (statusId === 1 || statusId === 6) assert.equal(startedAt, null)
  }
}

const shown = (task: Wire) => ({
  id: task.id,
  awb: task.awb,
  ownerId: task.ownerId,
  fulfillerId: task.fulfillerId,
  owner: task.owner.id,
  fulfiller: task.fulfiller.id,
  statusId: task.statusId,
  userId: task.userId,
  user: task.user?.id ?? null,
  fulfillerDriver: task.fulfillerDriver?.name ?? null,
  details: task.details,
  quantity: task.quantity,
  priority: task.priority,
  partnerAwbs: (task.partnerAwbs ?? []).toSorted(),
  totalPrice: task.totalPrice,
  leftToBePaid: task.leftToBePaid,
  cancelReason: task.cancelReason,
  customer: task.customer?.phone,
  address: task.address.address,
  notes: task.notes.map(({ note }: Wire) => note),
})

function expected(parties: Party[], model: PartnersModel, parcel: Parcel, place: number): ReturnType<typeof shown> {
  const { parts, statusId, details, quantity, price, paid, driver, reason } = parcel
  const part = parts[place] as Part
  const idOf = (one: Part | undefined) => parties[(one ?? part).party]?.organisationId as number
  const [ownerId, fulfillerId] = [idOf(parts[place - 1]), idOf(parts[place + 1])]
  const isLast = place === parts.length - 1
  const worker = (parties[model.last(parcel).party] as Party).drivers.find(({ id }) => id === driver)
  return {
    id: part.id,
    awb: part.awb,
    ownerId,
    fulfillerId,
    owner: ownerId,
    fulfiller: fulfillerId,
    statusId,
    userId: isLast ? driver : null,
    user: isLast ? driver : null,
    fulfillerDriver: isLast ? null : (worker?.name ?? null),
    details,
    quantity,
    priority: part.priority,
    partnerAwbs: [...part.otherAwbs].sort(),
    totalPrice: price,
    leftToBePaid: price - paid,
    cancelReason: statusId === 10 ? reason : null,
    customer: '+40722000111',
    address: 'Strada Lipscani 12, București',
    notes: part.notes,
  }
}

interface EventRow {
  id: number
  task_id: number
  sequence: number
  trigger_id: number
  snapshot_id: number
  driver: string | null
  user_id: number | null
  snapshot: string
}

/** Each side's log has grown by what it may know, numbered without a gap. */
async function assertEvents({ database }: TestServer, parties: Party[], parts: Set<Part>) {
  for (const [at, own] of parties.entries()) {
    const rows = await database.everyone.many<EventRow>(sql`
      select e.id, e.task_id, e.sequence, e.trigger_id, e.snapshot_id, e.driver, e.user_id, s.task as snapshot
      from events e join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
      where e.organisation_id = ${own.organisationId} and e.id > ${own.lastEventId}
      order by e.id`)
    assert.deepEqual(
      rows.map(({ id }) => id),
      rows.map((_, index) => own.lastEventId + index + 1),
      `events of ${at}`,
    )
    own.lastEventId += rows.length
    const drivers = parties.filter((other) => other !== own).flatMap((other) => other.drivers)
    for (const { snapshot, driver } of rows)
      for (const { phone } of drivers)
        assert.ok(!`${snapshot}${driver}`.includes(phone.slice(1)), 'somebody else’s driver is nobody’s business')
    const told = Map.groupBy(rows, ({ task_id }) => task_id)
    for (const part of [...parts].filter(({ party }) => party === at)) {
      const fired = [...Map.groupBy(told.get(part.id) ?? [], ({ snapshot_id }) => snapshot_id).values()]
      assert.deepEqual(
        fired.map((group) => group.map(({ trigger_id }) => trigger_id)),
        part.fired,
        `what fired for ${part.awb} at ${at}`,
      )
      part.fired = []
      told.delete(part.id)
    }
    assert.deepEqual([...told.keys()], [], `events of ${at} that nobody expected`)
  }
}

test('whatever partners do, each sees its own, both sides are equal, and the work is with one of them', async (t) => {
  const server = await startServer(t)
  let done = 0
  const reached = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.noBias(fc.array(operation, { minLength: amounts.steps / 2, maxLength: amounts.steps, size: 'max' })),
      async (operations) => {
        const parties: Party[] = []
        for (let at = 0; at < count; at += 1) parties.push(await openParty(server, at))
        const model = createPartnersModel(count)
        for (const [at, one] of parties.entries())
          for (const [other, { organisationId: companyId }] of parties.entries())
            if (at !== other) {
              assert.equal((await one.post('/partners', { companyId })).status, 200)
              model.agree(at, other)
            }
        /** All there ever were: what was taken away is told so, and nothing more. */
        const parts = new Set<Part>()
        for (const [at, planned] of [...chains, ...operations].entries())
          try {
            await perform(server.url, parties, model, planned)
            for (const parcel of model.parcels) for (const part of parcel.parts) parts.add(part)
            await assertState(parties, model)
            await assertEvents(server, parties, parts)
            const longest = Math.max(0, ...model.parcels.map((parcel) => parcel.parts.length))
            reached.set(String(longest), (reached.get(String(longest)) ?? 0) + 1)
            done += 1
          } catch (error) {
            ;(error as Error).message = `step ${at + 1}, ${JSON.stringify(planned)}: ${(error as Error).message}`
            throw error
          }
        assert.deepEqual(await listSplits(server.database.everyone), [])
      },
    ),
    // Shortening the sequence after a failure takes a while; this is the limit.
    { seed, endOnFailure: true, numRuns: amounts.histories, interruptAfterTimeLimit: amounts.histories * 60_000 },
  )
  tellNumbers(t, 'partners', { histories: amounts.histories, steps: done })
  t.diagnostic(`steps by the longest chain there was: ${[...reached].map(([length, times]) => `${length}: ${times}`)}`)
  assert.ok((reached.get('3') ?? 0) > 0, 'there were chains')
})

/** Begins with two tasks that everybody shares, in different orders of those who have them. */
const chains: Operation[] = [0, 2].flatMap((party): Operation[] => [
  { kind: 'create', party, awb: `X-${party + 1}`, price: 50 },
  { kind: 'delegate', actor: 'last', next: 1, parcel: party / 2, isBulk: false },
  { kind: 'delegate', actor: 'last', next: 1, parcel: party / 2, isBulk: true },
])

async function openParty(server: TestServer, at: number): Promise<Party> {
  const own = await server.another()
  // A driver may complete with money left, and pay in parts.
  await own.put('/company', { name: `Party ${at}`, settings: { allowPartialPayments: true } })
  const drivers: Driver[] = []
  for (const name of [`Ion of ${at}`, `Dan of ${at}`]) {
    const driver = await makeDriver(own, { name })
    drivers.push({ ...driver, token: await signIn(own, driver) })
  }
  return { ...own, drivers, lastEventId: 0 }
}
