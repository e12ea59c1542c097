import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../db/sql.ts'
import { letDaysPass } from '../test/factories.ts'
import { anOffice, neverQuiet, type Wire } from '../test/messages.ts'
import { request } from '../test/server.ts'

test('a customer is told once that the driver is on the way', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true, smsSenderId: 'Curier' })
  const task = await office.create({ awb: 'A-1' })
  await office.act('start', task)
  const [message] = await office.ended(1)
  assert.deepEqual(
    [message.cause, message.state, message.to, message.awb, message.segments, message.attempts],
    ['onItsWay', 'sent', '+40730000001', 'A-1', 1, 1],
  )
  const [{ text, to, sender }, ...more] = await office.received()
  assert.deepEqual([to, sender, more], ['+40730000001', 'Curier', []])
  assert.equal(text, message.text)
  assert.match(text, new RegExp(`livrarea A-1 este pe drum.*/t/${task.uuid}$`))

  const { sentETA, timelines } = await office.look(task)
  assert.equal(sentETA, false, 'it said “soon”')
  assert.deepEqual(timelines.at(-1).data, {
    message: { id: message.id, cause: 'onItsWay', channel: 'sms', state: 'sent', reason: null },
  })
})

test('a customer counts as told when the driver comes only if a message said a time', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true })
  const start = async (text: string | null) => {
    const before = (await office.list()).length
    await office.server.put('/messageTexts', { texts: [{ cause: 'onItsWay', language: 'ro', text }] })
    const task = await office.create()
    await office.server.post(`/drivers/${office.driver.id}/tasks/optimizeTodayTasks`, {})
    await office.act('start', task)
    const [message] = await office.ended(before + 1)
    await office.act('complete', task)
    return { text: message.text, ...(await office.look(task)) }
  }
  assert.equal((await start('{company}: pe drum. {link}')).sentETA, false)
  const { text, sentETA } = await start(null)
  assert.match(text, /sosire estimata .*\d\d:\d\d/)
  assert.equal(sentETA, true)
})

test('a pickup is told as one', async (t) => {
  const office = await anOffice(t, {
    messageOnItsWay: true,
    messageArrived: true,
    messageDelivered: true,
    messageFailed: true,
    messageLanguage: 'ro',
  })
  const [done, failed] = [await office.create({ pickupTask: true }), await office.create({ pickupTask: true })]
  for (const verb of ['start', 'arrive', 'complete']) await office.act(verb, done)
  await office.act('fail', failed, {})
  const texts = async (count: number) => (await office.ended(count)).map(({ text }: Wire) => text).join('\n')
  const told = await texts(4)
  for (const words of [/a fost ridicat\. Dovada ridicarii/, /nu am putut ridica/]) assert.match(told, words)
  assert.doesNotMatch(told, /livr/)

  const { body } = await office.server.post('/messageTexts/preview', {
    cause: 'delivered',
    language: 'en',
    awb: done.awb,
  })
  assert.match(body.preview.text, /was picked up\. Proof of pickup/)
})

test('customers who want no messages get none, and can change their mind', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true })
  const customer = { name: 'Ana', phone: '0730 555 001', email: 'Ana@Example.org' }
  const first = await office.create({ customer })
  const page = async (uuid: string) => (await fetch(`${office.server.url}/t/${uuid}`)).text()
  assert.match(await page(first.uuid), /action="\/t\/[\w-]+\/optOut"/)
  const optOut = (body: object) => request(office.server.url, 'POST', `/t/${first.uuid}/optOut`, { body })
  assert.equal((await optOut({})).status, 200)
  assert.match(await page(first.uuid), /value="false"/)
  await office.act('start', first)
  const [skipped] = await office.ended(1)
  assert.deepEqual([skipped.state, skipped.reason], ['skipped', 'optedOut'])
  assert.equal((await office.look(first)).timelines.at(-1).data.message.reason, 'optedOut')
  // By its address, whoever the customer is in the next task.
  const email = await office.create({ customer: { name: 'A.', phone: '021 310 0000', email: 'ana@example.org' } })
  await office.act('start', email)
  assert.equal((await office.ended(2))[0].reason, 'optedOut')

  await optOut({ optOut: false })
  await office.server.post(`/messages/${skipped.id}/retry`)
  await office.ended(2)
  assert.deepEqual(
    (await office.received()).map(({ to }) => to),
    ['+40730555001'],
  )
})

test('a number that cannot get SMS is skipped and told; an email goes out instead if there is an address', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true })
  const reasonFor = async (customer: object | null) => {
    const before = (await office.list()).length
    await office.act('start', await office.create({ customer }))
    return (await office.ended(before + 1))[0].reason
  }
  assert.equal(await reasonFor({ name: 'Ana', phone: '021 310 0001' }), 'notMobile')
  assert.equal(await reasonFor({ name: 'Ana', phone: '12' }), 'invalidPhone')
  assert.equal(await reasonFor(null), 'noRecipient')
  assert.equal(await reasonFor({ name: 'Ana', phone: '021 310 0001', email: 'ana2@example.org' }), null)
  assert.equal((await office.received('email'))[0].subject, 'Livrarea ta este pe drum')
})

test('what is no longer so, or too old, or not wanted for a task is not sent', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true })
  const quiet = await office.create({ sendNotifications: false })
  await office.act('start', quiet)
  const late = await office.create()
  await letDaysPass(office.server)
  await office.act('start', late, { occurredAt: new Date(Date.now() - 2 * 3_600_000).toISOString() })
  assert.deepEqual(
    (await office.ended(1)).map(({ taskId, reason }) => [taskId, reason]),
    [[late.id, 'tooOld']],
  )
  // It waits in quiet hours while the task goes on.
  const hour = new Date().getUTCHours()
  await office.server.put('/company', { timezone: 'Etc/UTC' })
  const two = (number: number) => String(number % 24).padStart(2, '0')
  await office.set({ messageQuietFrom: `${two(hour)}:00`, messageQuietUntil: `${two(hour + 2)}:00` })
  const gone = await office.create()
  await office.act('start', gone)
  await office.act('complete', gone)
  await office.set(neverQuiet)
  await office.server.database.everyone.run(sql`update messages set due_at = now() where state = 'waiting'`)
  const messages = await office.ended(2)
  assert.ok(['outdated', 'tooOld'].includes(messages[0].reason))
  assert.deepEqual(await office.received(), [])
})

test('a failure is told in the words of the organisation, not in those of the driver', async (t) => {
  const office = await anOffice(t, { messageFailed: true })
  const reason = { code: 'NOBODY', label: 'Nobody at home', labels: { ro: 'Nu era nimeni acasa' } }
  await office.server.post('/reasons', reason)
  const fail = async (body: object) => {
    const task = await office.create()
    await office.act('start', task)
    await office.act('fail', task, body)
    return task
  }
  await fail({ reasonCode: 'NOBODY', reason: 'rude people' })
  assert.match((await office.ended(1))[0].text, /nu am putut livra \S+\. Nu era nimeni acasa\. Detalii/)
  await fail({ reason: 'rude people' })
  assert.match((await office.ended(2))[0].text, /nu am putut livra \S+\. +Detalii/)
})

test('an organisation writes its own texts, sees what they cost, and tries them', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true })
  const { server } = office
  const write = (text: string | null) =>
    server.put('/messageTexts', { texts: [{ cause: 'onItsWay', language: 'ro', text }] })
  const wrong = (await write('Bună, {nume}!')).body.error
  assert.deepEqual([wrong.code, wrong.field], ['UNKNOWN_PLACEHOLDER', 'texts.0.text'])
  assert.match(wrong.message, /\{nume\} is not a placeholder; there are \{company\}, \{customer\}/)

  const own = (await write('Buna, {customer}!')).body.messageTexts
  const textOf = (texts: Wire[]) => texts.find(({ cause, language }) => cause === 'onItsWay' && language === 'ro')
  assert.deepEqual([textOf(own).text, textOf(own).isStandard, textOf(own).isOn], ['Buna, {customer}!', false, true])
  const task = await office.create({ customer: { name: 'Ștefan', phone: '0730777001' } })
  const preview = async (body: object) =>
    (await server.post('/messageTexts/preview', { cause: 'onItsWay', ...body })).body.preview
  assert.deepEqual(await preview({ awb: task.awb }), {
    subject: 'Livrarea ta este pe drum',
    text: 'Buna, Ștefan!',
    sms: { text: 'Buna, Stefan!', encoding: 'GSM-7', characters: 13, segments: 1 },
  })
  assert.deepEqual((await preview({ text: 'ă'.repeat(71) })).sms.segments, 2)

  const tested = await server.post('/messageTexts/test', { cause: 'onItsWay', awb: task.awb, to: '0730888001' })
  assert.deepEqual([tested.body.message.state, tested.body.message.cause], ['sent', 'test'])
  assert.equal(
    (await server.post('/messageTexts/test', { cause: 'onItsWay', to: '12' })).body.error.code,
    'INVALID_PHONE',
  )
  await office.act('start', task)
  await office.ended(2)
  assert.deepEqual(
    (await office.received()).map(({ text, to }) => [text, to]),
    [
      ['Buna, Stefan!', '+40730888001'],
      ['Buna, Stefan!', '+40730777001'],
    ],
  )
  assert.equal(textOf((await write(null)).body.messageTexts).isStandard, true)
})

test('the log is filtered and read page by page, and what was sent is not sent again', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true, messageDelivered: true })
  for (const awb of ['L-1', 'L-2']) {
    const task = await office.create({ awb })
    await office.act('start', task)
    await office.ended(awb === 'L-1' ? 1 : 3)
    await office.act('complete', task)
    await office.ended(awb === 'L-1' ? 2 : 4)
  }
  const causes = async (query: string) => (await office.list(query)).map(({ awb, cause }) => `${awb} ${cause}`)
  assert.deepEqual(await causes('?awb=L-1'), ['L-1 delivered', 'L-1 onItsWay'])
  assert.deepEqual(await causes('?cause=delivered&state=sent,failed'), ['L-2 delivered', 'L-1 delivered'])
  assert.deepEqual(await causes('?state=unknown'), [])
  assert.equal((await office.server.get('/messages?state=lost')).body.error.code, 'VALIDATION_FAILED')
  const first = (await office.server.get('/messages?limit=3')).body
  const rest = (await office.server.get(`/messages?limit=3&cursor=${first.nextCursor}`)).body
  assert.deepEqual([first.messages.length, rest.messages.length, rest.nextCursor], [3, 1, undefined])
  const again = await office.server.post(`/messages/${first.messages[0].id}/retry`)
  assert.equal(again.body.error.code, 'MESSAGE_NOT_RETRYABLE')
})

test('messages are found by awb, phone number, address and text, however a number is typed', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true, messageLanguage: 'en' })
  const told = async (awb: string, customer: object, count: number) => {
    const task = await office.create({ awb, customer })
    await office.act('start', task)
    await office.ended(count)
    await office.act('complete', task)
  }
  await told('FIND-1', { name: 'Ana', phone: '0722 000 111' }, 1)
  await told('FIND-2', { name: 'Ion', email: 'ion_x@example.org' }, 2)
  const found = async (q: string) => (await office.list(`?q=${encodeURIComponent(q)}`)).map(({ awb }: Wire) => awb)
  assert.deepEqual(await found('find-'), ['FIND-2', 'FIND-1'])
  assert.deepEqual(await found('find-1'), ['FIND-1'])
  for (const number of ['0722 000 111', '+40 722 000 111', '722000111', '000-111'])
    assert.deepEqual(await found(number), ['FIND-1'], number)
  assert.deepEqual(await found('ION_X'), ['FIND-2'])
  assert.deepEqual(await found('on its way'), ['FIND-2', 'FIND-1'])
  assert.deepEqual(await found('100%'), [], 'a sign of a pattern is only itself')
  assert.deepEqual((await office.list('?q=find&state=failed')).length, 0)

  await office.server.database.everyone.run(sql`
    insert into messages (organisation_id, cause, channel, recipient, language, subject, body, state, due_at, expires_at, occurred_at)
    select ${office.server.organisationId}, 'test', 'sms', '+40730000000', 'en', '', 'Bulk', 'sent', now(), now(), now()
    from generate_series(1, 20001)`)
  const first = (await office.server.get('/messages?q=FIND-1')).body
  assert.deepEqual(first.messages, [], 'a page looks only so far')
  const next = (await office.server.get(`/messages?q=FIND-1&cursor=${first.nextCursor}`)).body
  assert.deepEqual([next.messages.length, next.nextCursor], [1, undefined])
})

test('the log shows a message that was never sent as it would have been', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true, messageFirstChannel: 'email' })
  await office.server.put('/messageTexts', {
    texts: [{ cause: 'onItsWay', language: 'ro', text: 'Vino la {link}', subject: 'Vezi {link}' }],
  })
  const ends = (uuid: string) => `${office.server.url}/t/${uuid}`
  const noAddress = await office.create({ customer: { name: 'Ana', phone: '021 310 0001' } })
  await office.act('start', noAddress)
  const [skipped] = await office.ended(1)
  assert.deepEqual([skipped.state, skipped.text, skipped.segments], ['skipped', `Vino la ${ends(noAddress.uuid)}`, 1])
  const sent = await office.create({ customer: { name: 'Ana', email: 'ana3@example.org' } })
  await office.act('start', sent)
  await office.ended(2)
  const [email] = await office.received('email')
  assert.deepEqual([email.subject, email.text], [`Vezi ${ends(sent.uuid)}`, `Vino la ${ends(sent.uuid)}`])
})

test('a message sent again goes to the number the office has corrected', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true })
  const correct = async (given: object) => {
    const task = await office.create({ customer: { name: 'Ana', phone: '021 310 0001' } })
    await office.act('start', task)
    const [{ id, reason }] = await office.ended(1)
    assert.equal(reason, 'notMobile')
    const reply = await office.server.put(`/tasks/awb/${task.awb}`, { customer: { name: 'Ana', ...given } })
    assert.equal(reply.status, 200, reply.text)
    assert.equal((await office.server.post(`/messages/${id}/retry`)).status, 200)
    return (await office.ended(1))[0]
  }
  const bySms = await correct({ phone: '0730 999 001' })
  assert.deepEqual([bySms.state, bySms.channel, bySms.to], ['sent', 'sms', '+40730999001'])
  assert.deepEqual(
    (await office.received()).map(({ to }) => to),
    ['+40730999001'],
  )
  const byEmail = await correct({ phone: '021 310 0001', email: 'ana4@example.org' })
  assert.deepEqual(
    [byEmail.state, byEmail.channel, byEmail.to, byEmail.subject],
    ['sent', 'email', 'ana4@example.org', 'Livrarea ta este pe drum'],
  )
})
