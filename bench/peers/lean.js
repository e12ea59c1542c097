import express from 'express'
import { Op } from 'sequelize'
import { Refusal, readPage, readTask, readTasks } from './given.js'
import { statuses } from './models.js'
import { answerError, hashOf, models, readBody, sequelize, serve } from './serve.js'

/*
 * Tasks with Express and Sequelize by a team that knows what costs time: plain rows instead of instances where it reads,
 * a known key is not looked up again, and a set is written by one statement per table.
 */

const { ApiKey, Customer, Task, Address, Event } = models

const keyLivesMs = 10_000
const known = new Map()

async function authenticate(request, _response, next) {
  const hash = hashOf(request.headers.authorization ?? '')
  let found = known.get(hash)
  if (!found || found.until < Date.now()) {
    const key = await ApiKey.findOne({ where: { hash, isEnabled: true }, raw: true })
    if (!key) throw new Refusal(401, 'UNAUTHORIZED')
    found = { key, until: Date.now() + keyLivesMs }
    known.set(hash, found)
  }
  request.key = found.key
  next()
}

const present = ({ organisationId, ...task }, address, customer, timelines) => ({
  ...task,
  ownerId: organisationId,
  status: { id: task.statusId, name: statuses[task.statusId] },
  address,
  customer,
  timelines,
})

const plain = (instance) => instance.get({ plain: true })

/** The one that is written now is not read back. */
const timelineOf = ({ snapshot, taskId, organisationId, ...event }) => event

const eventOf = (key, task, snapshot) => ({
  organisationId: key.organisationId,
  taskId: task.id,
  event: 'TASK_CREATED',
  toStatusId: task.statusId,
  actorType: 'API',
  actorName: key.name,
  occurredAt: task.createdAt,
  snapshot,
})

/** The customers with these phones, made if they are new. Nobody waits for those who are known already. */
async function findOrCreateCustomers(organisationId, given, transaction) {
  const byPhone = new Map(given.map((customer) => [customer.phone, customer]))
  if (byPhone.size === 0) return new Map()
  const find = () => Customer.findAll({ where: { organisationId, phone: [...byPhone.keys()] }, raw: true, transaction })
  let found = await find()
  if (found.length < byPhone.size) {
    const there = new Set(found.map(({ phone }) => phone))
    const missing = [...byPhone.values()].filter(({ phone }) => !there.has(phone))
    const rows = missing.map((customer) => ({ ...customer, organisationId }))
    await Customer.bulkCreate(rows, { ignoreDuplicates: true, transaction })
    found = await find()
  }
  return new Map(found.map((customer) => [customer.phone, customer]))
}

const createTask = (key, given) =>
  sequelize.transaction(async (transaction) => {
    const { organisationId } = key
    const customers = await findOrCreateCustomers(organisationId, given.customer ? [given.customer] : [], transaction)
    const customer = customers.get(given.customer?.phone) ?? null
    const row = { ...given.task, organisationId, customerId: customer?.id }
    const task = plain(await Task.create(row, { transaction }))
    const address = plain(await Address.create({ ...given.address, taskId: task.id }, { transaction }))
    const snapshot = present(task, address, customer, [])
    const event = plain(await Event.create(eventOf(key, task, snapshot), { transaction }))
    return { ...snapshot, timelines: [timelineOf(event)] }
  })

/** One result per item. What is refused does not stop the others. */
async function createTasks(key, items) {
  const { organisationId } = key
  const results = items.map((item) => {
    try {
      return { given: readTask(item) }
    } catch (error) {
      return { error }
    }
  })
  await sequelize.transaction(async (transaction) => {
    const awbs = results.flatMap(({ given }) => given?.task.awb ?? [])
    const where = { organisationId, awb: awbs }
    const taken = new Set(
      (await Task.findAll({ attributes: ['awb'], where, raw: true, transaction })).map((t) => t.awb),
    )
    for (const result of results) {
      if (!result.given) continue
      if (taken.has(result.given.task.awb)) result.error = new Refusal(409, 'AWB_TAKEN')
      taken.add(result.given.task.awb)
    }
    const good = results.filter(({ error }) => !error)
    if (good.length === 0) return
    const given = good.map((result) => result.given)
    const wanted = given.flatMap(({ customer }) => customer ?? [])
    const customers = await findOrCreateCustomers(organisationId, wanted, transaction)
    const customerOf = ({ customer }) => customers.get(customer?.phone) ?? null
    const rows = given.map((one) => ({ ...one.task, organisationId, customerId: customerOf(one)?.id }))
    const options = { returning: true, transaction }
    const tasks = (await Task.bulkCreate(rows, options)).map(plain)
    const places = given.map(({ address }, n) => ({ ...address, taskId: tasks[n].id }))
    const addresses = (await Address.bulkCreate(places, options)).map(plain)
    const snapshots = tasks.map((task, n) => present(task, addresses[n], customerOf(given[n]), []))
    const happened = snapshots.map((snapshot, n) => eventOf(key, tasks[n], snapshot))
    const events = (await Event.bulkCreate(happened, options)).map(plain)
    for (const [n, result] of good.entries()) result.data = { ...snapshots[n], timelines: [timelineOf(events[n])] }
  })
  return results.map(({ error, data }, n) =>
    error
      ? { item: n + 1, success: false, error: { code: error.code, message: error.message } }
      : { item: n + 1, success: true, data },
  )
}

/** The tasks with their timelines: two statements, however many they are. */
async function findTasks(where, limit) {
  const rows = await Task.findAll({
    where,
    include: [Address, Customer],
    order: [['id', 'asc']],
    limit,
    raw: true,
    nest: true,
  })
  const events = await Event.findAll({
    where: { taskId: rows.map(({ id }) => id) },
    attributes: { exclude: ['snapshot', 'organisationId'] },
    order: [['id', 'asc']],
    raw: true,
  })
  const timelines = Map.groupBy(events, ({ taskId }) => taskId)
  return rows.map(({ address, customer, ...task }) =>
    present(task, address, task.customerId === null ? null : customer, timelines.get(task.id) ?? []),
  )
}

const app = express().disable('etag').disable('x-powered-by')
app.use(readBody(), authenticate)

app.post('/api/v1/tasks', async (request, response) => {
  response.json({ success: true, task: await createTask(request.key, readTask(request.body)) })
})

app.post('/api/v1/tasks/bulkCreate', async (request, response) => {
  response.json({ success: true, results: await createTasks(request.key, readTasks(request.body)) })
})

app.get('/api/v1/tasks', async (request, response) => {
  const { limit, after } = readPage(request.query)
  const { organisationId } = request.key
  const tasks = await findTasks({ organisationId, id: { [Op.gt]: after } }, limit + 1)
  const nextCursor = tasks.length > limit ? String(tasks[limit - 1].id) : null
  response.json({ success: true, tasks: tasks.slice(0, limit), nextCursor })
})

app.get('/api/v1/tasks/awb/:awb', async (request, response) => {
  const { organisationId } = request.key
  const [task] = await findTasks({ organisationId, awb: request.params.awb }, 1)
  if (!task) throw new Refusal(404, 'TASK_NOT_FOUND')
  response.json({ success: true, task })
})

app.use(answerError)
await serve(app)
