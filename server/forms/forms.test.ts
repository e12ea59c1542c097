import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { formOf } from '../../core/form.ts'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver, signIn } from '../test/factories.ts'
import { photo } from '../test/pictures.ts'
import { request, startServer } from '../test/server.ts'
import { presentForm } from './present.ts'
import { findFormOf, listForms } from './queries.ts'

type Given = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const aField = (field_key: string, given: Given = {}) => ({ field_key, label: field_key, type: 'text', ...given })
const shown = { labels: {}, choices: [], required: false, at: 'complete' }

const minutes = 60_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

/** A driver with a phone and a started task, an organisation with a form, and short ways to do things. */
async function aDay(t: TestContext, fields: Given[], given: Given = { isDefault: true }) {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  const driver = await makeDriver(place)
  const token = await signIn(place, driver)
  const { form } = (await place.post('/forms', { fields, ...given })).body
  const { task } = (await place.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))).body
  const send = async (...ops: Given[]) => {
    const body = { deviceTime: ago(0), ops }
    return (await request(server.url, 'POST', '/api/v1/driver/sync', { key: token, body })).body
  }
  const op = (type: string, more: Given = {}) => {
    return { opId: randomUUID(), type, taskId: task.id, occurredAt: ago(0), ...more }
  }
  const verb = async (name: string) => {
    const path = `/api/v1/driver/tasks/${task.id}/${name}`
    const { body } = await request(server.url, 'POST', path, { key: token, body: {} })
    return body.error?.code ?? body.task.statusId
  }
  await send(op('start'))
  return {
    server: place,
    token,
    form,
    task,
    send,
    op,
    verb,
    /** Answers fields, and tells what came of it. */
    async answer(answers: Given, more: Given = {}) {
      const list = Object.entries(answers).map(([field_key, answer]) => ({ field_key, answer }))
      const { results } = await send(op('form', { answers: list, ...more }))
      return results[0].success ? 'done' : (results[0].error as Wire)
    },
    async answers() {
      const { mobileTaskForm } = (await place.get('/tasks/awb/A-1')).body.task
      return mobileTaskForm === null ? null : JSON.parse(mobileTaskForm)
    },
  }
}

test('a form is made, changed and deleted, and one form at most is the default', async (t) => {
  const server = await startServer(t)
  const fields = [
    aField('who', {
      label: 'Left with',
      labels: { ro: 'Lăsat la' },
      required: true,
      type: 'choice',
      choices: ['A', 'B'],
    }),
    aField('why', { at: 'fail' }),
  ]
  const { form } = (await server.post('/forms', { name: 'Delivery', isDefault: true, fields })).body
  assert.deepEqual(form.fields, [
    { ...shown, ...fields[0] },
    { ...shown, ...fields[1] },
  ])

  const { form: other } = (await server.post('/forms', { fields: [], isDefault: 'true' })).body
  const list = async () =>
    (await server.get('/forms')).body.forms.map(({ name, isDefault }: Wire) => `${name} ${isDefault}`)
  assert.deepEqual(await list(), ['Delivery false', 'Form true'])

  const changed = (await server.put(`/forms/${form.id}`, { isDefault: true })).body.form
  assert.deepEqual([changed.name, changed.fields.length, changed.isDefault], ['Delivery', 2, true])
  assert.deepEqual(await list(), ['Delivery true', 'Form false'])

  await server.delete(`/forms/${other.id}`)
  assert.deepEqual(await list(), ['Delivery true'])
  assert.equal((await server.put(`/forms/${other.id}`, { name: 'Gone' })).body.error.code, 'FORM_NOT_FOUND')
})

test('a form that makes no sense is refused, and the answer names every fault', async (t) => {
  const server = await startServer(t)
  const refusal = async (...fields: Given[]) => {
    const { error } = (await server.post('/forms', { fields })).body
    return [error.message, ...(error.details ?? []).map(({ field }: Wire) => field)]
  }
  assert.deepEqual(await refusal(aField('a'), aField('a'), aField('b', { type: 'choice' })), [
    'Two fields have the key a, and 1 more field is not valid',
    'fields.1.field_key',
    'fields.2.choices',
  ])
  assert.match((await refusal(aField('a', { labels: { Romanian: 'x' } })))[0], /language codes such as ro/)
  assert.match((await refusal(aField('a', { labels: { ro: 'x\0' } })))[0], /labels\.ro contains characters/)
  assert.match((await refusal(aField('a b')))[0], /letters, digits, dots/)
})

test('two people who each choose a default form at once end with one', async (t) => {
  const server = await startServer(t)
  const made = await Promise.all([1, 2, 3, 4].map(() => server.post('/forms', { fields: [], isDefault: true })))
  assert.deepEqual(
    made.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { forms } = (await server.get('/forms')).body
  assert.equal(forms.filter(({ isDefault }: Wire) => isDefault).length, 1)
})

test('what must be answered is answered before a driver completes, and before one fails, each for itself', async (t) => {
  const { answer, answers, verb, server } = await aDay(t, [
    aField('door', { label: 'Which door?', required: true }),
    aField('id', { label: 'Seen the ID', type: 'check', required: true }),
    aField('more'),
    aField('why', { label: 'What happened?', required: true, at: 'fail' }),
  ])
  assert.equal(await verb('complete'), 'FORM_REQUIRED')
  assert.equal(await answer({ door: '   ', id: false }), 'done')
  assert.equal(await verb('complete'), 'FORM_REQUIRED')
  assert.equal(await verb('fail'), 'FORM_REQUIRED')
  assert.equal(await answer({ door: 'Blue' }), 'done')
  assert.equal(await verb('complete'), 9)

  const { task } = (await server.get('/tasks/awb/A-1')).body
  assert.equal(task.mobileTaskForm, '[{"field_key":"door","answer":"Blue"},{"field_key":"id","answer":false}]')
  assert.deepEqual(task.timelines.at(-2).data.previous, {
    mobileTaskForm: '[{"field_key":"door","answer":"   "},{"field_key":"id","answer":false}]',
  })
  // The answer counts also after the end, and null takes it back.
  assert.equal(await answer({ door: null, more: 'Late' }), 'done')
  assert.deepEqual(
    (await answers()).map(({ field_key }: Wire) => field_key),
    ['id', 'more'],
  )
})

test('the refusal says what is missing, and the office completes without a form', async (t) => {
  const { send, op, server } = await aDay(t, [
    aField('door', { label: 'Which door?', required: true }),
    aField('floor', { label: 'Floor', required: true }),
  ])
  const { results } = await send(op('complete'))
  assert.equal(results[0].error.message, 'Answer first: Which door?, Floor')
  assert.equal((await server.put('/tasks/awb/A-1/forceComplete', {})).body.task.statusId, 9)
})

test('an answer that does not fit its field is refused with a sentence, and nothing of it is kept', async (t) => {
  const { answer, answers } = await aDay(t, [
    aField('floor', { type: 'number' }),
    aField('who', { type: 'choice', choices: ['Customer', 'Neighbour'] }),
    aField('ok', { type: 'check' }),
    aField('door', { type: 'photo' }),
  ])
  const refusal = async (given: Given) => {
    const { message, field } = await answer(given)
    return `${field}: ${message}`
  }
  assert.equal(await refusal({ floor: 'ten' }), 'answers.0.answer: The answer to floor must be a number')
  assert.equal(await refusal({ who: 'Dog' }), 'answers.0.answer: The answer to who must be one of Customer, Neighbour')
  assert.equal(await refusal({ ok: 'maybe' }), 'answers.0.answer: The answer to ok must be true or false')
  assert.equal(await refusal({ door: 'photo.jpg' }), 'answers.0.answer: The answer to door must be the id of a file')
  assert.match(await refusal({ floor: 1, dog: 'x' }), /answers\.1\.field_key: The form of this task has no field dog/)
  assert.equal(await answers(), null)

  assert.equal(await answer({ floor: '3', who: 'Neighbour', ok: 'true' }), 'done')
  assert.deepEqual(await answers(), [
    { field_key: 'floor', answer: 3 },
    { field_key: 'who', answer: 'Neighbour' },
    { field_key: 'ok', answer: true },
  ])
})

test('the same answers again, or the same op again, fire nothing more', async (t) => {
  const { send, op, server, answer } = await aDay(t, [aField('door')])
  const given = op('form', { answers: [{ field_key: 'door', answer: 'Blue' }] })
  await send(given, given)
  await answer({ door: 'Blue' })
  const triggers = await server.triggers('A-1')
  assert.deepEqual(triggers.slice(2), ['TASK_START', 'TASK_UPDATED'])
})

test('a photo in a form belongs to the task: kept, and seen by those who may see the task', async (t) => {
  const { answer, answers, server, token, task, verb } = await aDay(t, [
    aField('door', { type: 'photo', required: true }),
  ])
  const fileId = randomUUID()
  assert.equal(await answer({ door: fileId.toUpperCase() }), 'done')
  assert.deepEqual(await answers(), [{ field_key: 'door', answer: `/files/${fileId}` }])
  assert.equal(await verb('complete'), 9, 'the picture itself may come later')

  const headers = { 'content-type': 'image/jpeg' }
  await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key: token, raw: photo, headers })
  assert.equal((await server.triggers('A-1')).at(-1), 'TASK_UPDATED', 'its arrival is told')
  await server.database.everyone.run(sql`
    update files set unused_since = unused_since - interval '60 days' where organisation_id = ${server.organisationId}`)
  await server.makeRound('collecting files')
  const status = async (key: string) => (await request(server.url, 'GET', `/files/${fileId}`, { key })).status
  const colleague = await signIn(server, await makeDriver(server))
  const stranger = await server.another()
  assert.deepEqual([await status(server.key), await status(token)], [200, 200])
  assert.deepEqual([await status(colleague), await status(stranger.key)], [404, 404])

  const { task: second } = (await server.post('/tasks', aTask({ awb: 'A-2', userId: task.userId }))).body
  assert.equal((await answer({ door: fileId }, { taskId: second.id })).code, 'FILE_IN_USE')
})

test('a task has its own form, the default one, or none, and an unknown one is refused', async (t) => {
  const { server, form, answer, task } = await aDay(t, [aField('door')], { isDefault: false })
  assert.equal((await answer({ door: 'Blue' })).message, 'The form of this task has no field door')
  const set = async (formId: unknown) => {
    const { body } = await server.put('/tasks/awb/A-1', { formId })
    return body.error ? `${body.error.code} ${body.error.field}` : body.task.formId
  }
  const stranger = await server.another()
  const theirs = (await stranger.post('/forms', { fields: [] })).body.form
  assert.equal(await set(theirs.id), 'FORM_NOT_FOUND formId')
  assert.equal((await server.post('/tasks', aTask({ formId: theirs.id }))).body.error.code, 'FORM_NOT_FOUND')
  assert.equal((await server.post('/tasks', aTask({ formId: form.id }))).body.task.formId, form.id)
  assert.equal(await set(form.id), form.id)
  assert.equal(await answer({ door: 'Blue' }), 'done')

  await server.delete(`/forms/${form.id}`)
  assert.equal(await set(form.id), form.id, 'a form that was deleted may stay where it is')
  assert.match((await server.get(`/tasks/${task.id}`)).body.task.mobileTaskForm, /Blue/)
  assert.equal(await set(null), null)
})

test('the form of a task is the same for a phone, which has all forms, and for the server, which reads one', async (t) => {
  const { server } = await aDay(t, [aField('usual')])
  const make = async () => (await server.post('/forms', { fields: [aField('own')] })).body.form.id as number
  const [own, gone] = [await make(), await make()]
  await server.delete(`/forms/${gone}`)
  const db = server.database.everyone
  const compare = async () => {
    const forms = (await listForms(db, server.organisationId)).map(presentForm)
    for (const formId of [null, own, gone])
      assert.equal((await findFormOf(db, server.organisationId, formId))?.id, formOf({ formId }, forms)?.id)
    return forms
  }
  const [usual] = await compare()
  await server.put(`/forms/${usual?.id}`, { isDefault: false })
  await compare()
})

test('answers to a form that was changed or deleted meanwhile are kept, their pictures too', async (t) => {
  const { server, form, answer, answers, verb } = await aDay(t, [
    aField('door', { required: true }),
    aField('view', { type: 'photo' }),
  ])
  await server.put(`/forms/${form.id}`, { fields: [aField('gate', { required: true, type: 'number' })] })
  const fileId = randomUUID()
  const before = { occurredAt: ago(5 * minutes) }
  assert.equal(await answer({ door: 'Blue', gate: 'the left one', view: fileId }, before), 'done')
  assert.deepEqual(await answers(), [
    { field_key: 'door', answer: 'Blue' },
    { field_key: 'gate', answer: 'the left one' },
    { field_key: 'view', answer: `/files/${fileId}` },
  ])
  assert.equal((await answer({ door: 'Red' })).code, 'VALIDATION_FAILED', 'what was done since must fit')
  await server.delete(`/forms/${form.id}`)
  assert.equal(await verb('complete'), 9, 'nobody asks any more')
})

test('completing without an answer that was not asked for then is for the office to decide', async (t) => {
  const { server, form, send, op } = await aDay(t, [])
  await server.put(`/forms/${form.id}`, { fields: [aField('door', { required: true })] })
  const { results } = await send(op('complete', { occurredAt: ago(5 * minutes) }))
  assert.deepEqual([results[0].error.code, typeof results[0].conflict?.id], ['FORM_REQUIRED', 'number'])
})

test('answers from when the task was theirs are kept on it, and others wait for the office', async (t) => {
  const { server, answer, answers, task } = await aDay(t, [aField('door'), aField('view', { type: 'photo' })])
  const before = { occurredAt: ago(0) }
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  assert.equal(await answer({ door: 'Blue' }, before), 'done')
  const fileId = randomUUID()
  assert.equal((await answer({ door: 'Red', view: fileId })).code, 'TASK_NOT_FOUND')
  assert.deepEqual(await answers(), [{ field_key: 'door', answer: 'Blue' }])
  const [file] = await server.database.everyone.many<{ task_id: number }>(
    sql`select task_id from files where organisation_id = ${server.organisationId} and id = ${fileId}`,
  )
  assert.equal(file?.task_id, task.id, 'the picture waits with its answer')

  const [conflict] = (await server.get('/conflicts')).body.conflicts
  await server.post(`/conflicts/${conflict.id}/settle`, { apply: true })
  assert.deepEqual(await answers(), [
    { field_key: 'door', answer: 'Red' },
    { field_key: 'view', answer: `/files/${fileId}` },
  ])
})

test('a phone gets the forms with every sync', async (t) => {
  const { server, form, send } = await aDay(t, [aField('door', { label: 'Which door?' })])
  assert.deepEqual((await send()).changes.forms, [form])
  await server.delete(`/forms/${form.id}`)
  assert.deepEqual((await send()).changes.forms, [])
})
