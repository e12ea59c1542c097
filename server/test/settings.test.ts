import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type SettingName, settings } from '../../core/settings.ts'
import { sql } from '../db/sql.ts'
import { followDrivers } from './arrivals.ts'
import { aTask, beginDuty, makeDriver, makeTeam, signIn, zoneOfNoon } from './factories.ts'
import { anOffice, neverQuiet, type Office } from './messages.ts'
import { aDriverOf, agree, give, taskOf } from './partners.ts'
import { photo } from './pictures.ts'
import { answer, startReceiver } from './receiver.ts'
import { request, startServer } from './server.ts'
import { until } from './until.ts'

/*
 * Every setting does something, and an entry here sees its effect. A setting without one fails the test.
 */

type Day = Awaited<ReturnType<typeof aDay>>

/** A driver with two tasks, and short ways to change a setting and to see what follows. */
async function aDay(t: TestContext) {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const [first, second] = [
    (await server.post('/tasks', aTask({ awb: 'FIRST', userId: driver.id }))).body.task,
    (
      await server.post(
        '/tasks',
        aTask({ awb: 'SECOND', userId: driver.id, address: { address: 'Calea Victoriei 1', lat: 44.44, lng: 26.09 } }),
      )
    ).body.task,
  ]
  return {
    t,
    server,
    driver,
    token,
    first,
    second,
    beginDuty: () => beginDuty(server.url, token),
    report: (location: object) =>
      request(server.url, 'POST', '/api/v1/driver/locations', { key: token, body: { locations: [location] } }),
    /** The settings that a phone gets with its sync. */
    async toldPhones() {
      const body = { deviceTime: new Date().toISOString() }
      return (await request(server.url, 'POST', '/api/v1/driver/sync', { key: token, body })).body.changes.settings
    },
    set: (given: object) => server.put('/company', { settings: given }),
    statusOf: async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.statusId,
    /** What the customer of a task sees. */
    track: async ({ uuid }: { uuid: string }) => (await request(server.url, 'GET', `/t/${uuid}/task`)).body.tracking,
    /** What a driver's verb answers: the state of the task, or the code of the refusal. */
    async verb(name: string, body: object = {}, taskId = first.id) {
      const reply = await request(server.url, 'POST', `/api/v1/driver/tasks/${taskId}/${name}`, { key: token, body })
      return reply.body.error?.code ?? reply.body.task.statusId
    },
    /** What an op in a sync answers: that it is done, or the code of the refusal. */
    async op(type: string, given: object) {
      const occurredAt = new Date().toISOString()
      const ops = [{ opId: randomUUID(), type, taskId: first.id, occurredAt, ...given }]
      const body = { deviceTime: occurredAt, ops }
      const [result] = (await request(server.url, 'POST', '/api/v1/driver/sync', { key: token, body })).body.results
      return result.error?.code ?? 'done'
    },
    /** What an operation answers with: the code of its refusal, or its status. */
    async code(method: 'post' | 'put', path: string, body: object) {
      const reply = await server[method](path, body)
      return reply.body.error?.code ?? reply.status
    },
  }
}

/** A partner, and the task that it was given. */
async function aPartner({ server }: Day) {
  const courier = await server.another()
  await agree(server, courier)
  await server.post('/tasks', aTask({ awb: 'GIVEN' }))
  await give(server, courier, 'GIVEN')
  return { courier, copy: await taskOf(courier, 'GIVEN') }
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

const effects: { [Name in SettingName]?: (day: Day) => Promise<void> } = {
  async enableRouteOptimization({ set, code, driver }) {
    assert.equal(await code('post', `/drivers/${driver.id}/tasks/optimizeTodayTasks`, {}), 200)
    await set({ enableRouteOptimization: false })
    assert.equal(await code('post', `/drivers/${driver.id}/tasks/optimizeTodayTasks`, {}), 'FORBIDDEN_BY_SETTING')
  },

  async enableAutoAssignMode({ server, set, token, statusOf }) {
    await request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift: true } })
    await server.post('/tasks', aTask({ awb: 'BEFORE' }))
    await set({ enableAutoAssignMode: true })
    await server.post('/tasks', aTask({ awb: 'NEW' }))
    await until('the new task to be assigned', async () => (await statusOf('NEW')) === 6)
    assert.equal(await statusOf('BEFORE'), 6)
  },

  async enableTeamAssignment({ server, set, code, driver }) {
    const { id: teamId } = await makeTeam(server)
    await set({ enableTeamAssignment: false })
    assert.equal(await code('post', '/tasks', aTask({ teamId })), 'FORBIDDEN_BY_SETTING')
    assert.equal(await code('post', '/tasks', aTask({ teamId, userId: driver.id })), 200)
  },

  async enableAWB({ server, set }) {
    await set({ enableAWB: false })
    assert.match((await server.post('/tasks', aTask({ awb: 'MINE' }))).body.task.awb, /^WB/)
    assert.equal((await server.put('/tasks/awb/FIRST', { awb: 'MINE' })).body.task.awb, 'FIRST')
  },

  async moneyDecimals({ server, set, code }) {
    assert.equal(await code('post', '/tasks', aTask({ totalPrice: 89.5 })), 'VALIDATION_FAILED')
    await set({ moneyDecimals: 2 })
    assert.equal((await server.post('/tasks', aTask({ totalPrice: 89.5 }))).body.task.totalPrice, 89.5)
  },

  async disableAdminUnassignToOrg({ server, set, statusOf }) {
    await set({ disableAdminUnassignToOrg: true })
    const { results } = (await server.post('/tasks/bulkUnassign', { tasks: ['FIRST', 'NOBODY'] })).body
    const codes = results.map(({ error }: { error: { code: string } }) => error.code)
    assert.deepEqual(codes, ['FORBIDDEN_BY_SETTING', 'TASK_NOT_FOUND'])
    assert.equal(await statusOf('FIRST'), 6)
  },

  async canExecutorsModifyDelegatedTasks(day) {
    const { courier, copy } = await aPartner(day)
    assert.equal((await courier.put(`/tasks/awb/${copy.awb}`, { details: 'Fragile' })).status, 200)
    await day.set({ canExecutorsModifyDelegatedTasks: false })
    const { body } = await courier.put(`/tasks/awb/${copy.awb}`, { details: 'Heavy' })
    assert.equal(body.error.code, 'FORBIDDEN_BY_SETTING')
  },

  async canExecutorsUndelegateTasks(day) {
    const { courier, copy } = await aPartner(day)
    await day.set({ canExecutorsUndelegateTasks: false })
    assert.equal((await courier.put(`/tasks/${copy.id}/undelegate`)).body.error.code, 'FORBIDDEN_BY_SETTING')
    await day.set({ canExecutorsUndelegateTasks: true })
    assert.equal((await courier.put(`/tasks/${copy.id}/undelegate`)).status, 200)
  },

  async showDriverPhoneToPartners({ server, driver, set, verb }) {
    const shop = await server.another()
    await agree(shop, server)
    await shop.post('/tasks', aTask({ awb: 'THEIRS' }))
    await give(shop, server, 'THEIRS')
    const { id } = await taskOf(server, 'THEIRS')
    await server.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [id] })
    const shown = async () => (await taskOf(shop, 'THEIRS')).fulfillerDriver
    assert.deepEqual(await shown(), { name: driver.name })
    await set({ showDriverPhoneToPartners: true })
    await verb('start', {}, id)
    assert.deepEqual(await shown(), { name: driver.name, phone: driver.phone })
  },

  async delegateNewTasksTo(day) {
    const { courier } = await aPartner(day)
    await day.set({ delegateNewTasksTo: courier.organisationId })
    await day.server.post('/tasks', aTask({ awb: 'NEW' }))
    await until('the new task to be given away', async () => (await taskOf(courier, 'NEW'))?.statusId === 1)
  },

  async delegateNewTasksOfTeam(day) {
    const { courier } = await aPartner(day)
    const { id: teamId } = await makeTeam(day.server)
    await day.set({ delegateNewTasksTo: courier.organisationId, delegateNewTasksOfTeam: teamId })
    await day.server.post('/tasks', aTask({ awb: 'OTHER' }))
    await day.server.post('/tasks', aTask({ awb: 'OF-TEAM', teamId }))
    await until('that of the team to be given away', async () => (await taskOf(courier, 'OF-TEAM'))?.statusId === 1)
    assert.equal(await taskOf(courier, 'OTHER'), undefined)
  },

  async delegatedMessages(day) {
    const { courier, copy } = await aPartner(day)
    await day.set({ messageFailed: true, delegatedMessages: 'fulfiller' })
    const driver = await aDriverOf(courier)
    const end = async (awb: string) => {
      await driver.take(awb)
      await driver.act('fail', awb)
      return (await day.server.get(`/messages?awb=${awb}`)).body.messages.length
    }
    assert.equal(await end(copy.awb), 1, 'it was given away before the choice')
    await day.server.post('/tasks', aTask({ awb: 'LATER' }))
    await give(day.server, courier, 'LATER')
    assert.equal(await end('LATER'), 0, 'the partner would, but sends none')
  },

  async allowDriverToTakeNotesOnSite({ set, verb }) {
    await set({ allowDriverToTakeNotesOnSite: false })
    assert.equal(await verb('notes', { note: 'Hello' }), 'FORBIDDEN_BY_SETTING')
  },

  async allowDriverToTakePicturesOnSite({ set, verb }) {
    assert.equal(await verb('notes', { fileId: randomUUID() }), 6)
    await set({ allowDriverToTakePicturesOnSite: false })
    assert.equal(await verb('notes', { fileId: randomUUID() }), 'FORBIDDEN_BY_SETTING')
    assert.equal(await verb('notes', { fileId: randomUUID(), type: 3 }), 6)
  },

  async allowDriverToTakeSignaturesOnSite({ set, verb }) {
    await set({ allowDriverToTakeSignaturesOnSite: false })
    assert.equal(await verb('notes', { fileId: randomUUID(), type: 3 }), 'FORBIDDEN_BY_SETTING')
  },

  async allowDriverToScanOnSite({ set, op }) {
    assert.equal(await op('scan', { code: 'FIRST' }), 'done')
    await set({ allowDriverToScanOnSite: false })
    assert.equal(await op('scan', { code: 'FIRST' }), 'FORBIDDEN_BY_SETTING')
  },

  async allowDriverToTakePaymentsOnSite({ server, set, verb, op }) {
    await server.put('/tasks/awb/FIRST', { totalPrice: 120 })
    await verb('start')
    assert.equal(await verb('complete'), 'PAYMENT_REQUIRED')
    await set({ allowDriverToTakePaymentsOnSite: false })
    assert.equal(await op('payment', { amount: 120, method: 'cash' }), 'FORBIDDEN_BY_SETTING')
    assert.equal(await verb('complete'), 9)
  },

  async allowPartialPayments({ server, set, verb, op }) {
    await server.put('/tasks/awb/FIRST', { totalPrice: 120 })
    assert.equal(await op('payment', { amount: 50, method: 'card' }), 'PAYMENT_PARTIAL')
    await set({ allowPartialPayments: true })
    assert.equal(await op('payment', { amount: 50, method: 'card' }), 'done')
    await verb('start')
    assert.equal(await verb('complete'), 9)
  },

  async makeSignaturesMandatory({ set, verb }) {
    await set({ makeSignaturesMandatory: true })
    await verb('start')
    await verb('notes', { fileId: randomUUID() })
    assert.equal(await verb('complete'), 'SIGNATURE_REQUIRED')
    // What is mandatory is allowed. The bytes may come later.
    await set({ allowDriverToTakeSignaturesOnSite: false })
    await verb('notes', { fileId: randomUUID(), type: 3, note: 'Ana Pop' })
    assert.equal(await verb('complete'), 9)
  },

  async allowDriverAddProfilePicture({ server, set, token }) {
    const headers = { 'content-type': 'image/jpeg' }
    const avatar = randomUUID()
    await request(server.url, 'PUT', `/api/v1/driver/files/${avatar}`, { key: token, raw: photo, headers })
    const choose = async (body: object) => {
      const reply = await request(server.url, 'PUT', '/api/v1/driver/profile', { key: token, body })
      return reply.body.error?.code ?? reply.body.user.avatar
    }
    assert.equal(await choose({ avatar }), `/files/${avatar}`)
    await set({ allowDriverAddProfilePicture: false })
    assert.equal(await choose({ avatar }), 'FORBIDDEN_BY_SETTING')
    assert.equal(await choose({ avatar: null }), null)
  },

  async allowDriverToCancelTask({ set, verb }) {
    await set({ allowDriverToCancelTask: false })
    assert.equal(await verb('fail', { reason: 'Rain' }), 'FORBIDDEN_BY_SETTING')
  },

  async allowDriverToCallTheCustomer({ server, set, token, first }) {
    await server.put('/tasks/awb/FIRST', { customer: { name: 'Ana', phone: '0712345678' } })
    await server.put('/tasks/awb/FIRST', { customer: { name: 'Ion', phone: '0723456789' } })
    await server.put('/tasks/awb/SECOND', { customer: { name: 'Ana', phone: '0712345678' } })
    await server.put('/tasks/awb/SECOND', { customer: null })
    /** Whether a number, today's or an earlier one, is to be seen in one of the ways in which a driver sees tasks. */
    const see = async () => {
      const call = (method: string, path: string, body?: object) =>
        request(server.url, method, `/api/v1/driver/${path}`, { key: token, body })
      const deviceTime = new Date().toISOString()
      return [
        (await call('GET', 'tasks')).text,
        (await call('POST', 'sync', { deviceTime })).text,
        (await call('POST', `tasks/${first.id}/notes`, { note: 'Hello' })).text,
      ].map((text) => /712345678|723456789/.test(text))
    }
    assert.deepEqual(await see(), [true, true, true])
    await set({ allowDriverToCallTheCustomer: false })
    assert.deepEqual(await see(), [false, false, false])
    assert.match((await server.get('/tasks/awb/FIRST')).text, /723456789/)
  },

  async mostAttempts({ server, set }) {
    const again = async (awb: string) => (await server.post(`/tasks/awb/${awb}/reattempt`)).body.error?.code
    for (const awb of ['FIRST', 'SECOND']) await server.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
    assert.equal(await again('FIRST'), undefined)
    await set({ mostAttempts: 1 })
    assert.equal(await again('SECOND'), 'ATTEMPTS_EXHAUSTED')
  },

  async afterLastAttempt({ server, set }) {
    await server.post('/hubs', { name: 'Only', lat: 44.5, lng: 26, city: 'București' })
    const isReturned = async (awb: string) => {
      await server.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
      await server.makeRound('returning')
      return (await server.get(`/tasks/awb/${awb}`)).body.task.returnedAs !== null
    }
    await set({ mostAttempts: 1 })
    assert.equal(await isReturned('FIRST'), false)
    await set({ afterLastAttempt: 'return' })
    assert.equal(await isReturned('SECOND'), true)
  },

  async enableRecipientFeedback({ server, set, first, second }) {
    const rate = async ({ uuid }: { uuid: string }) => {
      const { body } = await request(server.url, 'POST', `/t/${uuid}/feedback`, { body: { rating: 5 } })
      return body.error?.code ?? 'done'
    }
    for (const awb of ['FIRST', 'SECOND']) await server.put(`/tasks/awb/${awb}/forceComplete`, {})
    assert.equal(await rate(first), 'done')
    await set({ enableRecipientFeedback: false })
    assert.equal(await rate(second), 'FORBIDDEN_BY_SETTING')
  },

  async recipientReattemptDays({ server, set, track, first }) {
    await server.put('/tasks/awb/FIRST/forceComplete', { success: false })
    assert.equal((await track(first)).again, null)
    await set({ recipientReattemptDays: 3 })
    assert.equal((await track(first)).again.days.length, 3)
  },

  async recipientReattemptWindows({ server, set, code, track, first }) {
    await server.put('/tasks/awb/FIRST/forceComplete', { success: false })
    await set({ recipientReattemptDays: 1, recipientReattemptWindows: '9:00-13:00' })
    assert.deepEqual((await track(first)).again.windows, [{ from: '09:00', to: '13:00' }])
    const wrong = { settings: { recipientReattemptWindows: 'in the morning' } }
    assert.equal(await code('put', '/company', wrong), 'VALIDATION_FAILED')
  },

  async recipientSafePlace({ server, set, track, first }) {
    await server.put('/tasks/awb/FIRST/forceComplete', { success: false })
    await set({ recipientReattemptDays: 1 })
    assert.equal((await track(first)).again.safePlace, false)
    await set({ recipientSafePlace: true })
    assert.equal((await track(first)).again.safePlace, true)
  },

  async displayTransportationDetails({ server, set, track, first, driver }) {
    await server.put(`/drivers/${driver.id}`, { driverTransportationId: 5 })
    assert.equal((await track(first)).driver.transportationId, 5)
    await set({ displayTransportationDetails: false })
    assert.equal((await track(first)).driver.transportationId, null)
  },

  async displayDestinationDetails({ set, track, first }) {
    assert.match((await track(first)).destination.address, /Lipscani/)
    await set({ displayDestinationDetails: false })
    assert.equal((await track(first)).destination, null)
  },

  async displayCallButton({ set, track, first }) {
    await set({ callCenterPhoneNumber: '021 555 01 40', displayCallButton: false })
    const { call, message } = await track(first)
    assert.deepEqual([call, message], [null, '021 555 01 40'])
  },

  async displayMessageButton({ set, track, first }) {
    await set({ callCenterPhoneNumber: '021 555 01 40', displayMessageButton: false })
    const { call, message } = await track(first)
    assert.deepEqual([call, message], ['021 555 01 40', null])
  },

  async callCenterPhoneNumber({ server, set, track, first }) {
    assert.equal((await track(first)).call, null)
    await server.put('/company', { phone: '0213000000' })
    assert.equal((await track(first)).call, '0213000000')
    await set({ callCenterPhoneNumber: '021 555 01 40' })
    assert.equal((await track(first)).call, '021 555 01 40')
  },

  async callForwardingRecipient({ set, track, first, driver, verb }) {
    await set({ callCenterPhoneNumber: '021 555 01 40', callForwardingRecipient: '0722 000 111' })
    assert.equal((await track(first)).call, '0722 000 111')
    await set({ callForwardingRecipient: 'driver' })
    assert.equal((await track(first)).call, '021 555 01 40', 'the driver is not on the way')
    await verb('start')
    assert.equal((await track(first)).call, driver.phone)
    await verb('complete')
    assert.equal((await track(first)).call, '021 555 01 40')
  },

  async driverAutoAcceptOrders({ set, verb }) {
    await set({ driverAutoAcceptOrders: false })
    assert.equal(await verb('start'), 'TASK_NOT_ACCEPTED')
    await verb('accept')
    assert.equal(await verb('start'), 7)
  },

  async driverAutoStartsTaskOnAccept({ set, verb }) {
    await set({ driverAutoStartsTaskOnAccept: true })
    assert.equal(await verb('accept'), 7)
  },

  async automaticDriverFlow({ set, verb, statusOf }) {
    await set({ automaticDriverFlow: true })
    assert.equal(await verb('complete'), 9)
    assert.equal(await statusOf('SECOND'), 7)
  },

  async automaticStart({ server, set, beginDuty, statusOf, verb }) {
    await server.put('/company', { timezone: zoneOfNoon() })
    await beginDuty()
    for (const awb of ['FIRST', 'SECOND']) await server.put(`/tasks/awb/${awb}`, { completeAfter: inMinutes(-5) })
    await server.makeRound('automatic start')
    assert.equal(await statusOf('FIRST'), 6)
    await set({ automaticStart: true })
    await server.makeRound('automatic start')
    assert.deepEqual([await statusOf('FIRST'), await statusOf('SECOND')], [7, 6])
    await verb('complete')
    await server.makeRound('automatic start')
    assert.equal(await statusOf('SECOND'), 7)
  },

  async automaticStartField({ server, set, beginDuty, statusOf }) {
    await server.put('/company', { timezone: zoneOfNoon() })
    await beginDuty()
    await set({ automaticStart: true, automaticStartField: 'completeBefore' })
    await server.put('/tasks/awb/FIRST', { completeAfter: inMinutes(-5), completeBefore: inMinutes(5) })
    await server.makeRound('automatic start')
    assert.equal(await statusOf('FIRST'), 6)
    await set({ automaticStartField: 'completeAfter' })
    await server.makeRound('automatic start')
    assert.equal(await statusOf('FIRST'), 7)
  },

  async overwriteTaskLocation({ server, set, verb, second, driver, beginDuty, report }) {
    const placeOf = async (awb: string) => {
      const { lat, lng } = (await server.get(`/tasks/awb/${awb}`)).body.task.address
      return { lat, lng }
    }
    const was = await placeOf('FIRST')
    const door = { lat: 44.5, lng: 26.2 }
    await verb('start')
    await verb('complete', door)
    assert.deepEqual(await placeOf('FIRST'), was)
    await set({ overwriteTaskLocation: true })
    await verb('start', {}, second.id)
    await verb('complete', door, second.id)
    assert.deepEqual(await placeOf('SECOND'), door)
    // A phone that says nothing about the place of an op has just reported where it is.
    await beginDuty()
    const { task } = (await server.post('/tasks', aTask({ awb: 'THIRD', userId: driver.id }))).body
    await report({ lat: 44.6, lng: 26.3 })
    await verb('start', {}, task.id)
    await verb('complete', {}, task.id)
    assert.deepEqual(await placeOf('THIRD'), { lat: 44.6, lng: 26.3 })
    // A phone that hardly knows where it is moves nothing.
    for (const [awb, accuracyMetres, place] of [
      ['VAGUE', 5_000, was],
      ['EXACT', 50, door],
    ] as const) {
      const { id } = (await server.post('/tasks', aTask({ awb, userId: driver.id }))).body.task
      await verb('start', {}, id)
      await verb('complete', { ...door, accuracyMetres }, id)
      assert.deepEqual(await placeOf(awb), place, awb)
    }
  },

  async locationTrackingDistance1({ set, toldPhones }) {
    assert.equal((await toldPhones()).locationTrackingDistance1, 50)
    await set({ locationTrackingDistance1: 20 })
    assert.equal((await toldPhones()).locationTrackingDistance1, 20)
  },

  async locationTrackingDistance2({ server, set, beginDuty, report, verb, first, second }) {
    await beginDuty()
    const hasArrived = async (id: number) => (await server.get(`/tasks/${id}`)).body.task.driverArrived
    const { lat, lng } = first.address
    for (const { id } of [first, second]) await verb('start', {}, id)
    await report({ lat: lat + 0.003, lng })
    await followDrivers(server)
    assert.equal(await hasArrived(first.id), false, 'more than 300 metres away')
    await set({ locationTrackingDistance2: 400 })
    await followDrivers(server)
    assert.equal(await hasArrived(first.id), true)
  },

  async locationTrackingTime({ server, set, beginDuty, toldPhones, driver }) {
    const isSilent = async () =>
      (await server.get('/drivers')).body.users.find(({ id }: { id: number }) => id === driver.id).silentSince !== null
    await beginDuty()
    assert.equal(await isSilent(), true, 'on duty for ten hours, and no position')
    await set({ locationTrackingTime: 12 * 3_600 })
    assert.equal(await isSilent(), false)
    assert.equal((await toldPhones()).locationTrackingTime, 12 * 3_600)
  },

  async forceCompleteAsFailed({ server, set }) {
    await set({ forceCompleteAsFailed: true })
    assert.equal((await server.put('/tasks/awb/FIRST/forceComplete', {})).body.task.statusId, 10)
    assert.equal((await server.put('/tasks/awb/SECOND/forceComplete', { success: true })).body.task.statusId, 9)
  },

  async forceCompleteAsFailedCancelReason({ server, set }) {
    await set({ forceCompleteAsFailedCancelReason: 'Closed' })
    const failed = async (awb: string, given: object) =>
      (await server.put(`/tasks/awb/${awb}/forceComplete`, { success: false, ...given })).body.task.cancelReason
    assert.equal(await failed('FIRST', {}), 'Closed')
    assert.equal(await failed('SECOND', { failureReason: 'Rain' }), 'Rain')
  },

  async smsSenderId({ t }) {
    const office = await anOffice(t, { messageOnItsWay: true, smsSenderId: 'Curier' })
    await office.act('start', await office.create())
    await office.ended(1)
    assert.equal((await office.received())[0].sender, 'Curier')
  },

  messageOnItsWay: ({ t }) => seeCause(t, 'messageOnItsWay', (office, task) => office.act('start', task)),

  messageArrived: ({ t }) =>
    seeCause(t, 'messageArrived', async (office, task) => {
      await office.act('start', task)
      await office.act('arrive', task)
    }),

  messageDelivered: ({ t }) =>
    seeCause(t, 'messageDelivered', async (office, task) => {
      await office.act('start', task)
      await office.act('complete', task)
    }),

  messageFailed: ({ t }) =>
    seeCause(t, 'messageFailed', async (office, task) => {
      await office.act('fail', task, { reason: 'Nobody at home' })
    }),

  messageNextStop: ({ t }) => seeNextStop(t, { messageNextStop: true }, 'SECOND', 'NEXT DOOR'),
  messageNextStopStops: ({ t }) =>
    seeNextStop(t, { messageNextStop: true, messageNextStopStops: 2 }, 'SECOND', 'NEXT DOOR', 'THIRD'),
  messageNextStopMinutes: ({ t }) =>
    seeNextStop(t, { messageNextStop: true, messageNextStopStops: 0, messageNextStopMinutes: 60 }, 'FIRST'),

  messageWindowChanged: ({ t }) =>
    seeCause(t, 'messageWindowChanged', async ({ server }, task) => {
      await server.put(`/tasks/awb/${task.awb}`, { completeBefore: inMinutes(100) })
      await server.put(`/tasks/awb/${task.awb}`, { completeBefore: inMinutes(300) })
      // It would wait for the office to make up its mind.
      await server.database.everyone.run(sql`update messages set due_at = now() where due_at > now()`)
    }),

  async messageLanguage({ t }) {
    const office = await anOffice(t, { messageOnItsWay: true, messageLanguage: 'en' })
    await office.act('start', await office.create())
    assert.match((await office.ended(1))[0].text, /is on its way/)
    await office.set({ messageLanguage: 'country' })
    await office.act('start', await office.create())
    assert.match((await office.ended(2))[0].text, /este pe drum/)
  },

  async messageFirstChannel({ t }) {
    const office = await anOffice(t, { messageOnItsWay: true, messageFirstChannel: 'email' })
    const customer = { name: 'Ana', phone: '0730000777', email: 'ana@example.org' }
    await office.act('start', await office.create({ customer }))
    await office.ended(1)
    await office.set({ messageFirstChannel: 'sms' })
    await office.act('start', await office.create({ customer }))
    const sent = await office.ended(2)
    assert.deepEqual(
      sent.map(({ to }) => to),
      ['+40730000777', 'ana@example.org'],
    )
  },

  messageQuietFrom: ({ t }) => seeQuiet(t),
  messageQuietUntil: ({ t }) => seeQuiet(t),

  async messageMostPerDay({ t }) {
    const office = await anOffice(t, { messageOnItsWay: true, messageMostPerDay: 1 })
    await office.act('start', await office.create())
    await office.ended(1)
    await office.act('start', await office.create())
    assert.equal((await office.ended(2))[0].reason, 'dayLimit')
    assert.equal((await office.received()).length, 1)
  },

  async messageMostPerTask({ t }) {
    const office = await anOffice(t, { messageOnItsWay: true, messageDelivered: true, messageMostPerTask: 1 })
    const task = await office.create()
    await office.act('start', task)
    await office.ended(1)
    await office.act('complete', task)
    assert.equal((await office.ended(2))[0].reason, 'taskLimit')
    assert.equal((await office.received()).length, 1)
  },

  async hoursToSaveCustomerDataAfterDone({ server, set, first, second }) {
    await server.database.everyone.run(sql`
      update tasks set status_id = 9, completed_at = now() - interval '3 hours' where id = ${first.id}`)
    await set({ hoursToSaveCustomerDataAfterDone: 4 })
    await server.makeRound('erasure')
    const erasedAt = async ({ id }: { id: number }) => (await server.get(`/tasks/${id}`)).body.task.erasedAt
    assert.equal(await erasedAt(first), undefined)
    await set({ hoursToSaveCustomerDataAfterDone: 2 })
    await server.makeRound('erasure')
    assert.ok(await erasedAt(first))
    assert.equal(await erasedAt(second), undefined, 'it has not ended')
  },

  async googleApiKey({ server, set, t }) {
    const { body } = await set({ googleApiKey: 'a-secret-of-ours' })
    assert.equal(body.company.settings.googleApiKey, '')
    assert.ok(!JSON.stringify((await server.get('/company')).body).includes('a-secret-of-ours'))
    await seeGoogleAsked(t)
  },
}

/** Nothing is told before the cause is turned on, and one message for each task after that. */
async function seeCause(
  t: TestContext,
  name: SettingName,
  cause: (office: Office, task: { id: number; awb: string }) => Promise<void>,
) {
  const office = await anOffice(t, {})
  await cause(office, await office.create({ awb: 'BEFORE' }))
  await office.set({ [name]: true })
  await cause(office, await office.create({ awb: 'AFTER' }))
  const sent = await office.ended(1)
  assert.deepEqual(
    sent.map(({ awb, state }) => [awb, state]),
    [['AFTER', 'sent']],
  )
}

/**
 * Of five customers of a driver, all but the first in another city and two of those at one door, those who are next are
 * told once the driver is under way.
 */
async function seeNextStop(t: TestContext, settings: object, ...told: string[]) {
  const office = await anOffice(t, settings)
  const first = await office.create({ awb: 'FIRST' })
  const houses = { SECOND: 2, 'NEXT DOOR': 2, THIRD: 40, FOURTH: 80 }
  for (const [awb, house] of Object.entries(houses)) {
    const address = { address: `Bulevardul Eroilor ${house}, Cluj-Napoca`, lat: 46.7693, lng: 23.59 + house / 10_000 }
    await office.create({ awb, address })
  }
  await office.server.makeRound('next stops')
  assert.deepEqual(await office.list(), [])
  await office.act('start', first)
  await followDrivers(office.server)
  await office.server.makeRound('next stops')
  await office.server.makeRound('next stops')
  const sent = await office.ended(told.length)
  assert.deepEqual(sent.map(({ awb, state }) => [awb, state]).sort(), told.map((awb) => [awb, 'sent']).sort())
}

/** What is caused in quiet hours waits for their end. */
async function seeQuiet(t: TestContext) {
  const office = await anOffice(t, { messageDelivered: true })
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 13)
  await office.server.put('/company', { timezone: 'Etc/UTC' })
  await office.set({ messageQuietFrom: `${hour(-1)}:00`, messageQuietUntil: `${hour(2)}:00` })
  const task = await office.create()
  await office.act('start', task)
  await office.act('complete', task)
  const waiting = await until('the message to wait for the end', async () =>
    (await office.list()).find(({ nextAttemptAt }) => nextAttemptAt > inMinutes(30)),
  )
  assert.equal(waiting.nextAttemptAt.slice(11), `${hour(2)}:00:00.000Z`)
  await office.set(neverQuiet)
}

/** Addresses of an organisation with a key are looked up with it, and those of the others without. */
async function seeGoogleAsked(t: TestContext) {
  const google = await startReceiver(t)
  google.always(answer(200, { body: '{"status":"ZERO_RESULTS","results":[]}' }))
  const url = `http://127.0.0.1:${google.port}`
  const server = await startServer(t, { WAYBILL_GEOCODER: 'google', WAYBILL_GEOCODER_URL: url })
  const other = await server.another()
  await server.put('/company', { settings: { googleApiKey: 'a-secret-of-ours' } })
  await other.post('/tasks', { address: { address: 'Strada 1, Iași' } })
  await server.post('/tasks', { address: { address: 'Strada 2, Iași' } })
  const { url: asked } = await google.next()
  assert.match(asked, /address=Strada\+2%2C.*&key=a-secret-of-ours$/)
  assert.equal(google.requests.length, 1)
}

/** What only a page can show; `admin`, `lists`, `positions` and `driver-looks` in `web/test` look at it. */
const seenOnPages: SettingName[] = [
  'accentColor',
  'preferredUnitType',
  'imageOption',
  'autoDeletePhotosFromApp',
  'uploadPhotosOnWifi',
  'orderListViewDataLine1',
  'orderListViewDataLine2',
  'orderListViewDataLine3',
  'customizeColumnDefines',
  'shopConsole',
]

for (const [name, effect] of Object.entries(effects))
  test(`the setting ${name} does what it says`, async (t) => effect(await aDay(t)))

test('every setting has its effect', () => {
  const found = [...Object.keys(effects), ...seenOnPages]
  assert.deepEqual(found.sort(), Object.keys(settings).sort())
})
