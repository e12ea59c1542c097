import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type AuditEntry, type AuditKind, auditKinds } from '../../contract/audit.ts'
import { openArchive } from '../backup/archive.ts'
import { backUp } from '../backup/backup.ts'
import { checkContents } from '../backup/contents.ts'
import { restore } from '../backup/restore.ts'
import { openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import { createOrganisation } from '../organisations/actions.ts'
import { makeEmptyDatabase } from '../test/database.ts'
import { aTask, makeTeam } from '../test/factories.ts'
import { addPerson, anEmail, aPassword, browser, cookieOf, setPassword, signIn } from '../test/people.ts'
import { startReceiver } from '../test/receiver.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { findEntries } from './list.ts'

/* Every kind in the table is really written: here is how each comes about. */

interface World {
  t: TestContext
  server: TestServer
  admin: Awaited<ReturnType<typeof addPerson>>
  receiverUrl: string
}

type Expected = Partial<Pick<AuditEntry, 'actor' | 'changes'>> & { subjectId?: number | null }

/** What no entry may contain, wherever it was typed. */
const personal = {
  name: 'Zamfirescu',
  phone: '+40722987654',
  email: 'zamfirescu-0@example.org',
  note: 'behind the third door',
  googleApiKey: 'AIza-very-secret',
  newPassword: 'another horse battery',
}
const secrets: string[] = [...Object.values(personal), 'zamfirescu-', aPassword]

async function makeDriver({ server, admin }: World) {
  const team = await makeTeam(server)
  const { name, phone, email } = personal
  const { body } = await admin.post('/drivers', { name, phone, email, teams: [team.id] })
  return { id: body.user.id as number, teamId: team.id }
}

const login = (url: string, body: object) => request(url, 'POST', '/api/v1/driver/login', { body })

async function inviteDriver({ admin }: World, driverId: number) {
  const { body } = await admin.post(`/drivers/${driverId}/invite`)
  const secret = body.link.split('#')[1] as string
  secrets.push(body.code, secret)
  return { code: body.code as string, secret }
}

/** A driver's phone. */
async function makeDevice(world: World) {
  const { server } = world
  const { id } = await makeDriver(world)
  const { body } = await login(server.url, { secret: (await inviteDriver(world, id)).secret })
  secrets.push(body.token, body.osmandUrl.split('/').at(-1))
  const { devices } = (await server.get(`/drivers/${id}/devices`)).body
  return { driverId: id, token: body.token as string, deviceId: devices.at(-1).id as number }
}

async function makePerson({ admin }: World, role = 'dispatcher') {
  const { name } = personal
  const { body } = await admin.post('/people', { email: `zamfirescu-${anEmail()}`, name, role })
  secrets.push(body.link.split('#')[1])
  return body as { person: { id: number; email: string }; link: string }
}

let awbs = 0
async function makeTask({ admin }: World, given: object = {}) {
  awbs += 1
  const customer = { name: personal.name, phone: personal.phone }
  return (await admin.post('/tasks', aTask({ awb: `AUDIT-${awbs}`, customer, ...given }))).body.task as {
    id: number
    awb: string
  }
}

async function makeEnded(world: World) {
  const { id } = await makeDriver(world)
  const task = await makeTask(world, { userId: id })
  await world.server.put(`/tasks/awb/${task.awb}/forceComplete`, { success: true })
  return task
}

const makeWebhook = async ({ admin, receiverUrl }: World) => {
  const { webHook } = (await admin.post('/webHooks', { url: `${receiverUrl}?token=hidden-token`, trigger: 4 })).body
  secrets.push('hidden-token', webHook.secret)
  return webHook.id as number
}

const makeForm = async ({ admin }: World) =>
  (await admin.post('/forms', { name: 'Handover', fields: [] })).body.form.id as number

const makeReason = async ({ admin }: World) => {
  awbs += 1
  return (await admin.post('/reasons', { code: `R${awbs}`, label: 'Dog' })).body.reason.id as number
}

const makeSchedule = async ({ admin }: World) => {
  const task = { address: { city: 'Iași' }, customer: { name: personal.name, phone: personal.phone } }
  const body = { name: personal.name, task, repeats: { every: 'day' }, from: '2030-01-01' }
  return (await admin.post('/schedules', body)).body.schedule.id as number
}

const makeTemplate = async ({ admin }: World) => {
  const task = { customer: { name: personal.name, email: personal.email } }
  return (await admin.post('/taskTemplates', { name: personal.name, task })).body.template.id as number
}

const makeHoliday = async ({ admin }: World) =>
  (await admin.post('/holidays', { day: '2030-05-06', name: 'Away' })).body.holiday.id as number

const makeProofLink = async (world: World) => {
  const { awb } = await makeEnded(world)
  const { proofLink } = (await world.admin.post('/proofLinks', { awbs: [awb] })).body
  secrets.push(proofLink.link.split('/p/')[1])
  return { id: proofLink.id as number, awb, expiresAt: proofLink.expiresAt as string }
}

const unknown = { type: 'NOBODY', id: null, name: null }
const self = (id: number) => ({ type: 'ADMIN', id, name: personal.name })

const ways: Record<AuditKind, (world: World) => Promise<Expected>> = {
  async 'person.signedIn'({ server, admin }) {
    assert.equal((await signIn(server.url, admin.email)).status, 200)
    return { subjectId: admin.id }
  },
  async 'person.passwordWrong'({ server, admin }) {
    assert.equal((await signIn(server.url, admin.email, 'guessed wrong')).status, 401)
    secrets.push('guessed wrong')
    return { actor: unknown, subjectId: admin.id }
  },
  async 'person.signedOut'({ server, admin }) {
    const { delete: end } = browser(server.url, cookieOf(await signIn(server.url, admin.email)))
    await end('/session')
    return { subjectId: admin.id }
  },
  async 'person.signedOutEverywhere'(world) {
    const { person, link } = await makePerson(world)
    const { delete: end } = browser(world.server.url, cookieOf(await setPassword(world.server.url, link)))
    await end('/sessions')
    return { actor: self(person.id), subjectId: person.id }
  },
  async 'person.passwordChanged'(world) {
    const { person, link } = await makePerson(world)
    const { put } = browser(world.server.url, cookieOf(await setPassword(world.server.url, link)))
    await put('/session/password', { currentPassword: aPassword, password: personal.newPassword })
    return { actor: self(person.id), subjectId: person.id, changes: [{ field: 'password' }] }
  },
  async 'person.passwordSet'(world) {
    const { person, link } = await makePerson(world)
    await setPassword(world.server.url, link, { name: personal.name })
    return { actor: self(person.id), subjectId: person.id, changes: [{ field: 'name' }, { field: 'password' }] }
  },
  async 'person.invited'(world) {
    const { person } = await makePerson(world, 'admin')
    return {
      subjectId: person.id,
      changes: [{ field: 'name' }, { field: 'email' }, { field: 'role', after: 'admin' }],
    }
  },
  async 'person.linkCreated'(world) {
    const { person } = await makePerson(world)
    await world.admin.post(`/people/${person.id}/link`)
    return { subjectId: person.id, changes: [] }
  },
  async 'person.changed'(world) {
    const { person } = await makePerson(world)
    await world.admin.put(`/people/${person.id}`, { name: 'Other', role: 'admin' })
    return {
      subjectId: person.id,
      changes: [{ field: 'name' }, { field: 'role', before: 'dispatcher', after: 'admin' }],
    }
  },
  async 'person.deleted'(world) {
    const { person } = await makePerson(world)
    await world.admin.delete(`/people/${person.id}`)
    return {
      subjectId: person.id,
      changes: [{ field: 'name' }, { field: 'email' }, { field: 'role', before: 'dispatcher' }],
    }
  },
  async 'driver.signedIn'(world) {
    const { driverId, deviceId } = await makeDevice(world)
    const actor = { type: 'DRIVER', id: driverId, name: personal.name }
    return { actor, subjectId: driverId, changes: [{ field: 'deviceId', after: deviceId }] }
  },
  async 'driver.codeWrong'(world) {
    const { id } = await makeDriver(world)
    const { code } = await inviteDriver(world, id)
    const wrong = code === '123456' ? '123457' : '123456'
    assert.equal((await login(world.server.url, { phone: personal.phone, code: wrong })).status, 401)
    return { actor: unknown, subjectId: id }
  },
  async 'driver.signedOut'(world) {
    const { driverId, token, deviceId } = await makeDevice(world)
    await request(world.server.url, 'DELETE', '/api/v1/driver/session', { key: token })
    const actor = { type: 'DRIVER', id: driverId, name: personal.name }
    return { actor, subjectId: driverId, changes: [{ field: 'deviceId', before: deviceId }] }
  },
  async 'driver.deviceRemoved'(world) {
    const { driverId, deviceId } = await makeDevice(world)
    await world.admin.delete(`/drivers/${driverId}/devices/${deviceId}`)
    return { subjectId: driverId, changes: [{ field: 'deviceId', before: deviceId }] }
  },
  async 'driver.invited'(world) {
    const { id } = await makeDriver(world)
    await inviteDriver(world, id)
    return { subjectId: id, changes: [] }
  },
  async 'driver.created'(world) {
    const { id, teamId } = await makeDriver(world)
    const hidden = ['name', 'phone', 'email'].map((field) => ({ field }))
    return { subjectId: id, changes: [...hidden, { field: 'teams', after: [teamId] }] }
  },
  async 'driver.changed'(world) {
    const { id } = await makeDriver(world)
    await world.admin.put(`/drivers/${id}`, { phone: '0722 111 222', startShiftTime: '8:00' })
    return {
      subjectId: id,
      changes: [{ field: 'phone' }, { field: 'startShiftTime', before: null, after: '08:00' }],
    }
  },
  async 'driver.absenceAdded'(world) {
    const { id } = await makeDriver(world)
    await world.admin.post(`/drivers/${id}/absences`, { from: '2026-12-21', to: '2026-12-24', reason: personal.note })
    return {
      subjectId: id,
      changes: [...fields({ from: '2026-12-21', to: '2026-12-24' }), { field: 'reason' }],
    }
  },
  async 'driver.absenceDeleted'(world) {
    const { id } = await makeDriver(world)
    const { absence } = (await world.admin.post(`/drivers/${id}/absences`, { from: '2026-12-21' })).body
    await world.admin.delete(`/drivers/${id}/absences/${absence.id}`)
    return {
      subjectId: id,
      changes: [
        { field: 'from', before: '2026-12-21' },
        { field: 'to', before: '2026-12-21' },
      ],
    }
  },
  async 'driver.deleted'(world) {
    const { id, teamId } = await makeDriver(world)
    await world.admin.delete(`/drivers/${id}`)
    const hidden = ['name', 'phone', 'email'].map((field) => ({ field }))
    return { subjectId: id, changes: [...hidden, { field: 'teams', before: [teamId] }] }
  },
  async 'partner.agreed'({ admin, server }) {
    const { organisationId } = await server.another()
    await admin.post('/partners', { companyId: organisationId })
    return { subjectId: organisationId, changes: fields({ companyId: organisationId, state: 'asked' }) }
  },
  async 'partner.ended'({ admin, server }) {
    const { organisationId } = await server.another()
    await admin.post('/partners', { companyId: organisationId })
    await admin.delete(`/partners/${organisationId}`)
    return { subjectId: organisationId }
  },
  async 'key.created'({ admin }) {
    const { key } = (await admin.post('/keys', { name: 'Shop' })).body
    secrets.push(key.secret)
    return { subjectId: key.id }
  },
  async 'key.rotated'({ admin }) {
    const { key } = (await admin.post('/keys', { name: 'Shop' })).body
    await admin.post(`/keys/${key.id}/rotate`)
    return { subjectId: key.id }
  },
  async 'key.revoked'({ admin }) {
    const { key } = (await admin.post('/keys', { name: 'Shop' })).body
    await admin.delete(`/keys/${key.id}`)
    return { subjectId: key.id }
  },
  async 'webhook.created'(world) {
    const subjectId = await makeWebhook(world)
    const host = new URL(world.receiverUrl).host
    return { subjectId, changes: [...fields({ host, trigger: 'TASK_CREATED' })] }
  },
  async 'webhook.enabled'(world) {
    const id = await makeWebhook(world)
    await world.server.database.everyone.run(sql`update webhooks set is_enabled = false where id = ${id}`)
    await world.admin.post(`/webHooks/${id}/enable`)
    return { subjectId: id, changes: [] }
  },
  async 'webhook.secretRotated'(world) {
    const id = await makeWebhook(world)
    const { body } = await world.admin.post(`/webHooks/${id}/rotateSecret`)
    secrets.push(body.webHook.secret)
    return { subjectId: id, changes: fields({ overlapHours: 24 }) }
  },
  async 'webhook.deleted'(world) {
    const id = await makeWebhook(world)
    await world.admin.delete(`/webHooks/${id}`)
    return { subjectId: id }
  },
  async 'company.created'({ server }) {
    // As the first start does; the command line is tried in cli/commands.test.ts.
    const place = { name: 'New', country: 'RO', timezone: 'Europe/Bucharest', currency: 'RON' }
    const { organisation, adminId } = await createOrganisation(server.database.everyone, place)
    const own = { id: organisation.id, timezone: 'Europe/Bucharest' }
    const { entries } = await findEntries(server.database.everyone, own, { kind: 'company.created' })
    assert.deepEqual(entries[0]?.changes, fields({ ...place, adminId }))
    await server.database.everyone.run(sql`
      insert into audit_log (organisation_id, kind, actor_type, subject_type, subject_id, changes, count)
      select ${server.organisationId}, kind, actor_type, subject_type, subject_id, changes, count
      from audit_log where organisation_id = ${organisation.id} and kind = 'company.created'`)
    return { actor: { type: 'SYSTEM', id: null, name: null }, subjectId: organisation.id }
  },
  async 'company.changed'({ server, admin }) {
    const { phone, email, googleApiKey } = personal
    await admin.put('/company', {
      phone,
      email,
      currency: 'EUR',
      settings: { googleApiKey, locationTrackingTime: 30, enableAWB: true },
    })
    return {
      subjectId: server.organisationId,
      changes: [
        { field: 'email' },
        { field: 'phone' },
        { field: 'currency', before: 'RON', after: 'EUR' },
        { field: 'locationTrackingTime', before: 15, after: 30 },
        { field: 'googleApiKey' },
      ],
    }
  },
  async 'text.changed'({ admin }) {
    await admin.put('/messageTexts', { texts: [{ cause: 'onItsWay', language: 'en', text: 'Soon: {link}' }] })
    return {
      subjectId: null,
      changes: [
        { field: 'cause', after: 'onItsWay' },
        { field: 'language', after: 'en' },
        { field: 'text', before: null, after: 'Soon: {link}' },
      ],
    }
  },
  async 'form.created'(world) {
    return { subjectId: await makeForm(world), changes: fields({ name: 'Handover', isDefault: false }) }
  },
  async 'form.changed'(world) {
    const id = await makeForm(world)
    await world.admin.put(`/forms/${id}`, { name: 'Return' })
    return { subjectId: id, changes: [{ field: 'name', before: 'Handover', after: 'Return' }] }
  },
  async 'form.deleted'(world) {
    const id = await makeForm(world)
    await world.admin.delete(`/forms/${id}`)
    return { subjectId: id }
  },
  async 'reason.created'(world) {
    return { subjectId: await makeReason(world) }
  },
  async 'reason.changed'(world) {
    const id = await makeReason(world)
    await world.admin.put(`/reasons/${id}`, { photoRequired: true })
    return { subjectId: id, changes: [{ field: 'photoRequired', before: false, after: true }] }
  },
  async 'reason.deleted'(world) {
    const id = await makeReason(world)
    await world.admin.delete(`/reasons/${id}`)
    return { subjectId: id }
  },
  async 'schedule.created'(world) {
    return { subjectId: await makeSchedule(world) }
  },
  async 'schedule.changed'(world) {
    const id = await makeSchedule(world)
    await world.admin.put(`/schedules/${id}`, { isPaused: true })
    return { subjectId: id, changes: [{ field: 'isPaused', before: false, after: true }] }
  },
  async 'schedule.deleted'(world) {
    const id = await makeSchedule(world)
    await world.admin.delete(`/schedules/${id}`)
    return { subjectId: id }
  },
  async 'template.created'(world) {
    return { subjectId: await makeTemplate(world) }
  },
  async 'template.changed'(world) {
    const id = await makeTemplate(world)
    await world.admin.put(`/taskTemplates/${id}`, { task: {} })
    return { subjectId: id, changes: [{ field: 'task' }] }
  },
  async 'template.deleted'(world) {
    const id = await makeTemplate(world)
    await world.admin.delete(`/taskTemplates/${id}`)
    return { subjectId: id }
  },
  async 'holiday.added'(world) {
    return {
      subjectId: await makeHoliday(world),
      changes: fields({ day: '2030-05-06', name: 'Away', isWorkingDay: false }),
    }
  },
  async 'holiday.deleted'(world) {
    const id = await makeHoliday(world)
    await world.admin.delete(`/holidays/${id}`)
    return { subjectId: id }
  },
  async 'task.forceCompleted'(world) {
    const { id: userId } = await makeDriver(world)
    const { id, awb } = await makeTask(world, { userId })
    await world.admin.put(`/tasks/awb/${awb}/forceComplete`, { success: false, failureReason: personal.note })
    return { subjectId: id, changes: [{ field: 'statusId', before: 6, after: 10 }] }
  },
  async 'task.endCorrected'(world) {
    const { id: userId } = await makeDriver(world)
    const { id, awb } = await makeTask(world, { userId })
    await world.admin.put(`/tasks/awb/${awb}/forceComplete`, {})
    await world.admin.post(`/tasks/awb/${awb}/correct`, { statusId: 10, reason: personal.note })
    return { subjectId: id, changes: [{ field: 'statusId', before: 9, after: 10 }] }
  },
  async 'task.corrected'(world) {
    const { id, awb } = await makeEnded(world)
    await world.admin.put(`/tasks/awb/${awb}`, { details: personal.note, quantity: 3 })
    const [{ quantity }] = [{ quantity: { field: 'quantity', before: null, after: 3 } }]
    return { subjectId: id, changes: [{ field: 'details' }, quantity] }
  },
  async 'payment.added'(world) {
    const { id } = await makeTask(world, { totalPrice: 20 })
    const { body } = await world.admin.post(`/tasks/${id}/payments`, {
      amount: 20,
      method: 'cash',
      note: personal.note,
    })
    const known = fields({ paymentId: body.payment.id, amount: 20, method: 'cash' })
    return { subjectId: id, changes: [...known, { field: 'note' }] }
  },
  async 'cash.handedIn'(world) {
    const { id } = await makeDriver(world)
    await world.admin.post('/cash/handIns', { userId: id, day: '2026-01-02', amount: 20, note: personal.note })
    return { subjectId: id, changes: [...fields({ day: '2026-01-02', amount: 20 }), { field: 'note' }] }
  },
  async 'cash.closed'(world) {
    const { id } = await makeDriver(world)
    await world.admin.post('/cash/closeOuts', { userId: id, day: '2026-01-02', counted: 5, note: personal.note })
    const known = fields({ day: '2026-01-02', cash: 0, counted: 5, difference: 5 })
    return { subjectId: id, changes: [...known, { field: 'note' }] }
  },
  async 'cash.corrected'(world) {
    const { id } = await makeDriver(world)
    await world.admin.post('/cash/closeOuts', { userId: id, day: '2026-01-02', counted: 0 })
    await world.admin.post('/cash/corrections', { userId: id, day: '2026-01-02', amount: 7, note: personal.note })
    return { subjectId: id, changes: [...fields({ day: '2026-01-02', amount: 7 }), { field: 'note' }] }
  },
  async 'conflict.settled'(world) {
    const { driverId, token } = await makeDevice(world)
    const { id, awb } = await makeTask(world, { userId: driverId })
    await world.admin.post('/tasks/bulkUnassign', { tasks: [awb] })
    await request(world.server.url, 'POST', `/api/v1/driver/tasks/${id}/complete`, { key: token, body: {} })
    const [conflict] = (await world.admin.get('/conflicts?settled=false')).body.conflicts
    await world.admin.post(`/conflicts/${conflict.id}/settle`, { apply: true, note: personal.note })
    const known = fields({ conflictId: conflict.id, type: 'complete', applied: true })
    return { subjectId: id, changes: [...known, { field: 'note' }] }
  },
  async 'proof.exported'(world) {
    const { id } = await makeEnded(world)
    assert.equal((await world.admin.get(`/tasks/${id}/proof.pdf`)).status, 200)
    return { subjectId: id, changes: [] }
  },
  async 'label.printed'(world) {
    const { id, awb } = await makeEnded(world)
    assert.equal((await world.admin.get(`/labels?awbs=${awb}`)).status, 200)
    return { subjectId: id, changes: [] }
  },
  async 'manifest.printed'(world) {
    const { id } = await makeDriver(world)
    assert.equal((await world.admin.get(`/manifests/${id}`)).status, 200)
    return { subjectId: id, changes: [] }
  },
  async 'proofLink.created'(world) {
    const { id, awb, expiresAt } = await makeProofLink(world)
    return { subjectId: id, changes: fields({ awbs: [awb], expiresAt }) }
  },
  async 'proofLink.revoked'(world) {
    const { id } = await makeProofLink(world)
    await world.admin.delete(`/proofLinks/${id}`)
    return { subjectId: id, changes: [] }
  },
  async 'list.exported'({ admin }) {
    await admin.post('/exports', { list: 'tasks', format: 'csv', rows: 120 })
    return { subjectId: null, changes: fields({ list: 'tasks', format: 'csv', rows: 120 }) }
  },
  async 'data.erased'(world) {
    const { awb } = await makeEnded(world)
    const { erasures } = (await world.admin.post('/erasures', { awb })).body
    return { subjectId: erasures[0].id, changes: fields({ reason: 'request', tasks: 1 }) }
  },
  async 'data.exported'({ admin }) {
    assert.equal((await admin.get('/personalData?phone=0799999999')).status, 200)
    return { subjectId: null, changes: [] }
  },
  async 'backup.restored'({ t, server }) {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-audit-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const path = join(folder, 'backup.tar')
    const quiet = { signal: new AbortController().signal, onProgress: () => {}, log: () => {} }
    const place = { ...quiet, dataFolder: folder }
    await backUp({ ...place, path, databaseUrl: server.config.databaseUrl as string, version: '1', bucket: 's3://x/' })
    const { url: databaseUrl, drop } = await makeEmptyDatabase()
    t.after(drop)
    const archive = await openArchive(path)
    const contents = await checkContents(archive, path, () => {})
    await restore({ ...place, databaseUrl, contents, replace: false }).finally(archive.close)

    const role = await migrate(databaseUrl, () => {})
    const restored = openDatabase({ url: databaseUrl, role, connections: 1, onIdleError: () => {} })
    const organisation = { id: server.organisationId, timezone: 'Europe/Bucharest' }
    const { entries } = await findEntries(restored.everyone, organisation, {})
    assert.deepEqual(entries[0]?.changes, fields({ backupOf: contents.head.createdAt, version: '1' }))
    assert.deepEqual(entries.slice(1), (await findEntries(server.database.everyone, organisation, {})).entries)
    // The rights are those of before.
    await assert.rejects(restored.everyone.run(sql`delete from audit_log`), { code: '42501' })
    await restored.close()
    // It is in the log of the restored database: here it is only repeated, to be compared like the others.
    await server.database.everyone.run(sql`
      insert into audit_log (organisation_id, kind, actor_type, subject_type, subject_id, changes, count)
      values (${server.organisationId}, 'backup.restored', ${entries[0]?.actor.type}, 'company', ${entries[0]?.subject.id},
        '[]', 1)`)
    return { actor: { type: 'COMMAND_LINE', id: null, name: null }, subjectId: server.organisationId }
  },
}

const fields = (given: object) => Object.entries(given).map(([field, after]) => ({ field, after }))

test('every kind of entry is written when it should be, once, with who did it and what changed', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const admin = await addPerson(server, 'admin', personal.name)
  const world = { t, server, admin, receiverUrl: receiver.url }
  secrets.push(server.key, admin.cookie.split('=')[1] as string, admin.email)

  for (const [kind, happen] of Object.entries(ways)) {
    const read = async (): Promise<AuditEntry[]> => (await server.get(`/audit?kind=${kind}`)).body.entries
    const before = await read()
    const { subjectId, changes, actor } = await happen(world)
    const entries = await until(`the entry ${kind}`, async () => {
      const found = await read()
      return found.length > before.length && found
    })
    const [newest] = entries
    assert.equal(entries.length, before.length + 1, kind)
    assert.deepEqual(newest?.actor, actor ?? { type: 'ADMIN', id: admin.id, name: personal.name }, kind)
    assert.deepEqual([newest?.subject.type, newest?.subject.id], [auditKinds[kind as AuditKind].about, subjectId], kind)
    if (changes) assert.deepEqual(newest?.changes, changes, kind)
    if (!['SYSTEM', 'COMMAND_LINE'].includes(newest?.actor.type ?? '')) assert.equal(newest?.address, '127.0.0.1', kind)
  }

  const lines = await server.database.everyone.many<{ text: string }>(sql`
    select row_to_json(a)::text as text from audit_log a where organisation_id = ${server.organisationId}`)
  for (const { text } of lines)
    for (const secret of secrets) assert.ok(!text.includes(secret), `"${secret}" is in ${text}`)
})
