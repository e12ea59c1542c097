import express from 'express'
import { Op } from 'sequelize'
import { Refusal, readPage, readTask, readTasks } from './given.js'
import { createdEvent, presentEvent, presentTask, withSettings } from './present.js'
import { answerError, hashOf, models, readBody, sequelize, serve } from './serve.js'

/*
 * Tasks with Express and Sequelize by a team that knows what costs time: plain rows instead of instances where it reads,
 * a known key is not looked up again, and a set is written by one statement per table.
 */

const { Organisation, ApiKey, Team, User, Customer, Task, Address, Note, Dependency, Event } = models

const keyLivesMs = 10_000
const known = new Map()

async function authenticate(request, _response, next) {
  const hash = hashOf(request.headers.authorization ?? '')
  let found = known.get(hash)
  if (!found || found.until < Date.now()) {
    const key = await ApiKey.findOne({
      where: { hash, isEnabled: true },
      include: [Organisation],
      raw: true,
      nest: true,
    })
    if (!key) throw new Refusal(401, 'UNAUTHORIZED')
    found = { key, until: Date.now() + keyLivesMs }
    known.set(hash, found)
  }
  request.key = found.key
  next()
}

const plain = (instance) => instance.get({ plain: true })

/** A new one, from what was written: nothing is read back. */
const presentNew = ({ organisation }, task, address, customer) =>
  presentTask({
    ...task,
    address,
    customer,
    owner: organisation,
    fulfiller: organisation,
    user: null,
    team: null,
    notes: [],
    dependencies: [],
  })

const companiesOf = ({ organisationId }) => ({ ownerId: organisationId, fulfillerId: organisationId })

/** The customers with these phones, made if they are new. Nobody waits for those who are known already. */
async function findOrCreateCustomers(companyId, given, transaction) {
  const byPhone = new Map(given.map((customer) => [customer.phone, customer]))
  if (byPhone.size === 0) return new Map()
  const find = () => Customer.findAll({ where: { companyId, phone: [...byPhone.keys()] }, raw: true, transaction })
  let found = await find()
  if (found.length < byPhone.size) {
    const there = new Set(found.map(({ phone }) => phone))
    const missing = [...byPhone.values()].filter(({ phone }) => !there.has(phone))
    const rows = missing.map((customer) => ({ ...customer, companyId }))
    await Customer.bulkCreate(rows, { ignoreDuplicates: true, transaction })
    found = await find()
  }
  return new Map(found.map((customer) => [customer.phone, customer]))
}

const createTask = (key, given) =>
  sequelize.transaction(async (transaction) => {
    const wanted = given.customer ? [given.customer] : []
    const customers = await findOrCreateCustomers(key.organisationId, wanted, transaction)
    const customer = customers.get(given.customer?.phone) ?? null
    const row = { ...given.task, ...companiesOf(key), customerId: customer?.id }
    const task = plain(await Task.create(row, { transaction }))
    const address = plain(await Address.create({ ...given.address, taskId: task.id }, { transaction }))
    const snapshot = presentNew(key, task, address, customer)
    const event = plain(await Event.create(createdEvent(key, task, snapshot), { transaction }))
    return { ...snapshot, timelines: [presentEvent(event)] }
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
    const where = { ownerId: organisationId, awb: awbs }
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
    const rows = given.map((one) => ({ ...one.task, ...companiesOf(key), customerId: customerOf(one)?.id }))
    const options = { returning: true, transaction }
    const tasks = (await Task.bulkCreate(rows, options)).map(plain)
    const places = given.map(({ address }, n) => ({ ...address, taskId: tasks[n].id }))
    const addresses = (await Address.bulkCreate(places, options)).map(plain)
    const snapshots = tasks.map((task, n) => presentNew(key, task, addresses[n], customerOf(given[n])))
    const happened = snapshots.map((snapshot, n) => createdEvent(key, tasks[n], snapshot))
    const events = (await Event.bulkCreate(happened, options)).map(plain)
    for (const [n, result] of good.entries()) {
      const shown = { ...snapshots[n], timelines: [presentEvent(events[n])] }
      result.data = withSettings(shown, key.organisation)
    }
  })
  return results.map(({ error, data }, n) =>
    error
      ? { item: n + 1, success: false, error: { code: error.code, message: error.message } }
      : { item: n + 1, success: true, data },
  )
}

const byId = (rows) => new Map(rows.map((row) => [row.id, row]))

/** Those with these ids. Nobody asks for none. */
async function findByIds(model, ids) {
  const id = [...new Set(ids)].filter((one) => one !== null)
  return byId(id.length === 0 ? [] : await model.findAll({ where: { id }, raw: true }))
}

/** The tasks with all that belongs to them: a statement for each kind, however many tasks there are. */
async function findTasks({ organisation }, where, limit) {
  const own = { ownerId: organisation.id, ...where }
  const include = [Address, Customer]
  const rows = await Task.findAll({ where: own, include, order: [['id', 'asc']], limit, raw: true, nest: true })
  const of = { where: { taskId: rows.map(({ id }) => id) }, order: [['id', 'asc']], raw: true, nest: true }
  const dependsOn = { model: Task, as: 'dependsOn', attributes: ['id', 'awb', 'statusId'] }
  const foreign = rows.map(({ fulfillerId }) => fulfillerId).filter((id) => id !== organisation.id)
  const [events, notes, dependencies, users, teams, companies] = await Promise.all([
    Event.findAll({ ...of, attributes: { exclude: ['snapshot', 'organisationId'] } }),
    Note.findAll({ ...of, include: [User] }),
    Dependency.findAll({ ...of, include: [dependsOn], order: [['dependsOnId', 'asc']] }),
    findByIds(
      User,
      rows.map(({ userId }) => userId),
    ),
    findByIds(
      Team,
      rows.map(({ teamId }) => teamId),
    ),
    findByIds(Organisation, foreign),
  ])
  const [eventsOf, notesOf, dependenciesOf] = [events, notes, dependencies].map((all) =>
    Map.groupBy(all, ({ taskId }) => taskId),
  )
  return rows.map((task) =>
    presentTask({
      ...task,
      customer: task.customerId === null ? null : task.customer,
      owner: organisation,
      fulfiller: companies.get(task.fulfillerId) ?? organisation,
      user: users.get(task.userId) ?? null,
      team: teams.get(task.teamId) ?? null,
      notes: notesOf.get(task.id) ?? [],
      dependencies: (dependenciesOf.get(task.id) ?? []).map((one) => one.dependsOn),
      timelines: eventsOf.get(task.id) ?? [],
    }),
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
  const tasks = await findTasks(request.key, { id: { [Op.gt]: after } }, limit + 1)
  const nextCursor = tasks.length > limit ? String(tasks[limit - 1].id) : null
  response.json({ success: true, tasks: tasks.slice(0, limit), nextCursor })
})

app.get('/api/v1/tasks/awb/:awb', async (request, response) => {
  const [task] = await findTasks(request.key, { awb: request.params.awb }, 1)
  if (!task) throw new Refusal(404, 'TASK_NOT_FOUND')
  response.json({ success: true, task })
})

app.use(answerError)
await serve(app)
