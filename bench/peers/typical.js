import { createWriteStream } from 'node:fs'
import express from 'express'
import { Op } from 'sequelize'
import { Refusal, readPage, readTask, readTasks } from './given.js'
import { createdEvent, presentTask, withSettings } from './present.js'
import { answerError, hashOf, models, readBody, sequelize, serve } from './serve.js'

/*
 * The same service as most would write it: instances with their associations, toJSON, a hook that records the event, a
 * middleware that looks the key up, a log of requests, and a set that is created one by one, as many at once as the pool
 * has connections.
 */

const { Organisation, ApiKey, Team, User, Customer, Task, Address, Note, Event } = models

Task.prototype.toJSON = function () {
  return presentTask(this.get({ plain: true }))
}

/** What a task is shown with. */
const related = () => [
  { model: Organisation, as: 'owner', attributes: { exclude: ['settings'] } },
  { model: Organisation, as: 'fulfiller', attributes: { exclude: ['settings'] } },
  { model: Address },
  { model: Customer },
  { model: User },
  { model: Team },
  { model: Note, include: [User] },
  { model: Task, as: 'dependencies', attributes: ['id', 'awb', 'statusId'], through: { attributes: [] } },
]
const shown = () => ({
  include: [...related(), { model: Event, as: 'timelines', attributes: { exclude: ['snapshot', 'organisationId'] } }],
  order: [
    ['id', 'asc'],
    [{ model: Event, as: 'timelines' }, 'id', 'asc'],
    [Note, 'id', 'asc'],
  ],
})

Task.addHook('afterCreate', async (task, { transaction, key }) => {
  const created = await Task.findByPk(task.id, { include: related(), transaction })
  await Event.create(createdEvent(key, task, created.toJSON()), { transaction })
})

async function createTask(key, { task, address, customer }) {
  const { organisationId } = key
  const id = await sequelize.transaction(async (transaction) => {
    const [found] = customer
      ? await Customer.findOrCreate({
          where: { companyId: organisationId, phone: customer.phone },
          defaults: customer,
          transaction,
        })
      : []
    const created = await Task.create(
      { ...task, ownerId: organisationId, fulfillerId: organisationId, customerId: found?.id, address },
      { include: [Address], transaction, key },
    )
    return created.id
  })
  return Task.findByPk(id, shown())
}

async function tryToCreate(key, item, n) {
  try {
    const task = await createTask(key, readTask(item))
    return { item: n + 1, success: true, data: withSettings(task.toJSON(), key.organisation) }
  } catch (error) {
    const code = error.name === 'SequelizeUniqueConstraintError' ? 'AWB_TAKEN' : error.code
    return { item: n + 1, success: false, error: { code, message: error.message } }
  }
}

const lines = createWriteStream('/dev/null', { flags: 'a' })

function log(request, response, next) {
  const begun = process.hrtime.bigint()
  response.on('finish', () => {
    const ms = Number(process.hrtime.bigint() - begun) / 1e6
    const { method, originalUrl, ip, httpVersion } = request
    const length = response.getHeader('content-length') ?? '-'
    const sent = `${method} ${originalUrl} HTTP/${httpVersion}" ${response.statusCode} ${length} ${ms.toFixed(3)} ms`
    lines.write(`${ip} - [${new Date().toISOString()}] "${sent} "${request.get('user-agent') ?? '-'}"\n`)
  })
  next()
}

async function authenticate(request, _response, next) {
  const hash = hashOf(request.get('authorization') ?? '')
  const key = await ApiKey.findOne({ where: { hash, isEnabled: true }, include: [Organisation] })
  if (!key) throw new Refusal(401, 'UNAUTHORIZED')
  request.key = key
  next()
}

const validate = (name, read) => (request, _response, next) => {
  request.valid = read(request[name])
  next()
}

const router = express.Router()

router.post('/tasks', validate('body', readTask), async (request, response) => {
  response.json({ success: true, task: await createTask(request.key, request.valid) })
})

router.post('/tasks/bulkCreate', validate('body', readTasks), async (request, response) => {
  const results = await Promise.all(request.valid.map((item, n) => tryToCreate(request.key, item, n)))
  response.json({ success: true, results })
})

router.get('/tasks', validate('query', readPage), async (request, response) => {
  const { limit, after } = request.valid
  const tasks = await Task.findAll({
    where: { ownerId: request.key.organisationId, id: { [Op.gt]: after } },
    ...shown(),
    limit: limit + 1,
  })
  const nextCursor = tasks.length > limit ? String(tasks[limit - 1].id) : null
  response.json({ success: true, tasks: tasks.slice(0, limit), nextCursor })
})

router.get('/tasks/awb/:awb', async (request, response) => {
  const task = await Task.findOne({
    where: { ownerId: request.key.organisationId, awb: request.params.awb },
    ...shown(),
  })
  if (!task) throw new Refusal(404, 'TASK_NOT_FOUND')
  response.json({ success: true, task })
})

const app = express()
app.use(log, readBody(), authenticate)
app.use('/api/v1', router)
app.use(answerError)
await serve(app)
