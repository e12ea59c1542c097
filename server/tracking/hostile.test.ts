import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { aTask, beginDuty, makeDriver, signIn, zoneOfNoon } from '../test/factories.ts'
import { readPdf } from '../test/pdf.ts'
import { photo } from '../test/pictures.ts'
import { request, startServer } from '../test/server.ts'
import { timesIn } from './page/times.ts'
import { sayIn } from './page/words.ts'

/* What people with a link try, or find by accident, on the tracking page and on proofs. */

let visitors = 0
const evil = `"><script>alert(1)</script></style><img src=x onerror=alert(1)>'`

/** An organisation with a driver on duty, and short ways to be the driver, the office and a stranger. */
async function aCourier(t: TestContext) {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const addDriver = async (name: string) => {
    const driver = await makeDriver(server, { name, driverTransportationId: 5 })
    const key = await signIn(server, driver)
    await beginDuty(server.url, key)
    const call = (method: string, path: string, body: object) =>
      request(server.url, method, `/api/v1/driver/${path}`, { key, body })
    return {
      ...driver,
      call,
      verb: (id: number, name: string, body: object = {}) => call('POST', `tasks/${id}/${name}`, body),
      report: (lat: number, lng: number) => call('POST', 'locations', { locations: [{ lat, lng }] }),
    }
  }
  const visit = (path: string, options: RequestInit = {}) => {
    visitors += 1
    const headers = { 'x-forwarded-for': `198.18.1.${visitors}`, accept: 'text/html', ...options.headers }
    return fetch(server.url + path, { redirect: 'manual', ...options, headers })
  }
  const driver = await addDriver('Surname, Vlad')
  return {
    server,
    driver,
    addDriver,
    visit,
    addTask: async (awb: string, given: object = {}): Promise<{ id: number; uuid: string }> =>
      (await server.post('/tasks', aTask({ awb, userId: driver.id, ...given }))).body.task,
    see: async (uuid: string) => (await request(server.url, 'GET', `/t/${uuid}/task`)).body.tracking,
    submit: async (path: string, fields: Record<string, string>) =>
      (await visit(path, { method: 'POST', body: new URLSearchParams(fields) })).headers.get('location'),
    uploadPhoto: async (): Promise<string> => {
      const headers = { 'content-type': 'image/jpeg' }
      const { body } = await request(server.url, 'POST', '/api/v1/files', { key: server.key, raw: photo, headers })
      return body.file.id
    },
  }
}

test('a line end counts as one character in a form, as it does on the page', async (t) => {
  const { addTask, submit, see, driver } = await aCourier(t)
  const { id, uuid } = await addTask('LINES')
  const lines = `${'ab\n'.repeat(166)}cd`
  assert.equal(lines.length, 500)
  // A browser sends it so.
  const sent = lines.replaceAll('\n', '\r\n')
  assert.equal(await submit(`/t/${uuid}/instructions`, { text: sent }), `/t/${uuid}`)
  assert.deepEqual((await see(uuid)).instructions.given, [lines])
  for (const text of [`${sent}e`, ' \r\n ', ''])
    assert.equal(await submit(`/t/${uuid}/instructions`, { text }), `/t/${uuid}?refused=VALIDATION_FAILED`)
  await driver.verb(id, 'start')
  await driver.verb(id, 'complete')
  assert.equal(await submit(`/t/${uuid}/feedback`, { rating: '5', comment: sent.repeat(4) }), `/t/${uuid}`)
})

test('instructions that come again are added once, and nobody floods a driver with them', async (t) => {
  const { server, addTask, see } = await aCourier(t)
  const { uuid } = await addTask('FLOOD')
  const leave = (text: string) => request(server.url, 'POST', `/t/${uuid}/instructions`, { body: { text } })
  for (const text of ['Ring', 'Knock', 'Ring']) assert.equal((await leave(text)).status, 200)
  assert.deepEqual((await see(uuid)).instructions.given, ['Ring', 'Knock'])
  for (let times = 2; times < 20; times += 1) assert.equal((await leave(`Text ${times}`)).status, 200)
  assert.equal((await leave('One more')).body.error.code, 'VALIDATION_FAILED')
  assert.equal((await server.triggers('FLOOD')).length, 22)
})

test('the page says that a task is late instead of a time that has passed, and names days that differ', async (t) => {
  const { server, addTask, driver, visit } = await aCourier(t)
  // Off duty, so that no arrival is computed.
  await driver.call('PUT', 'duty', { inShift: false })
  await server.put('/company', { timezone: zoneOfNoon() })
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const cases: [awb: string, from: number | null, to: number | null, arrival: number | null, says: RegExp][] = [
    ['OVER', -180, -60, null, /h1>\s*<p class="sub">This is late.*your window is \d/s],
    ['OVERDUE', -180, -60, -40, /h1>\s*<p class="sub">This is late/],
    ['BEHIND', -180, -60, 5, /Expected <\/span>\d\d:\d\d–\d\d:\d\d<\/p>\s*<p class="sub">Today · your window is \d/],
    ['NEXT-DAY', -180, -60, 1440, /<p class="sub">Tomorrow · your window is today \d/],
    ['OPEN-END', -180, null, null, /Expected <\/span>after \d\d:\d\d/],
    ['MOMENT', 60, 60, null, /Expected <\/span>\d\d:\d\d<\/p>/],
    ['NO-TIME', null, null, null, /time is not known yet.*stops before you/s],
  ]
  for (const [awb, from, to, arrival, says] of cases) {
    const window = { completeAfter: from && inMinutes(from), completeBefore: to && inMinutes(to) }
    const address = {
      address: `Strada Lungă ${awb}`,
      lat: 44.4 + cases.findIndex(([name]) => name === awb) / 100,
      lng: 26.1,
    }
    const { id, uuid } = await addTask(awb, { ...window, address })
    await server.database.everyone.run(sql`
      update tasks set eta_at = ${arrival && inMinutes(arrival)} where id = ${id}`)
    assert.match(await (await visit(`/t/${uuid}`)).text(), says, awb)
  }
})

test('nothing behind a link is kept by a cache for others or listed by search engines, whatever is answered', async (t) => {
  const { server, addTask, driver, visit } = await aCourier(t)
  const { id, uuid } = await addTask('SEARCH')
  await driver.verb(id, 'start')
  await driver.verb(id, 'complete')
  const link = new URL((await server.post('/proofLinks', { awbs: ['SEARCH'] })).body.proofLink.link).pathname
  const guessing = { headers: { 'x-forwarded-for': '198.18.1.251' } }
  const answers: [status: number, path: string, options?: RequestInit][] = [
    ...['', '/task', '/proof.pdf'].map((part): [number, string] => [200, `/t/${uuid}${part}`]),
    ...['', '/proof.pdf'].map((part): [number, string] => [200, `${link}${part}`]),
    ...['/t/nobody', '/t/nobody/task', '/t/nobody/proof.pdf', '/p/nobody', '/p/nobody/proof.pdf', '/t/%00', '/t/'].map(
      (path): [number, string] => [404, path],
    ),
    [404, `/t/${'x'.repeat(5_000)}`],
    [404, '/t/nobody', { method: 'HEAD' }],
    [400, `/t/${uuid}?refused=%00`],
    [429, '/t/another', guessing],
    [429, '/p/another', guessing],
  ]
  /** Guesses go on until they are refused. */
  async function answerOf(path: string, options?: RequestInit) {
    for (let tries = 1; ; tries += 1) {
      const reply = await visit(options === guessing ? `${path}-${tries}` : path, options)
      await reply.arrayBuffer()
      if (options !== guessing || reply.status === 429 || tries === 400) return reply
    }
  }
  for (const [expected, path, options] of answers) {
    const { status, headers } = await answerOf(path, options)
    assert.equal(status, expected, path)
    assert.match(headers.get('x-robots-tag') ?? '', /noindex/, path)
    assert.match(headers.get('cache-control') ?? '', /^(no-store|private, no-cache)$/, path)
    if (headers.get('content-type')?.startsWith('text/html')) {
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path)
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/, path)
    }
  }
})

test('no name, address, reason, comment or instruction becomes part of a page', async (t) => {
  const { server, addTask, addDriver, visit, submit, uploadPhoto } = await aCourier(t)
  const driver = await addDriver(evil)
  await server.put('/company', { name: evil })
  for (const settings of [{ accentColor: '#fff}</style>' }, { accentColor: 'red;}*{color:red' }])
    assert.equal((await server.put('/company', { settings })).status, 400)
  for (const logo of ['javascript:alert(1)', 'https://elsewhere.example/logo.png'])
    assert.equal((await server.put('/company', { logo })).status, 400)
  await server.put('/company', { settings: { callForwardingRecipient: '1" onclick="alert(1)' } })
  await server.post('/reasons', { code: 'EVIL', label: evil, labels: { ro: evil } })
  const given = { userId: driver.id, address: { address: evil }, customer: { name: evil }, details: evil }
  const open = await addTask('<b>1</b>'.replaceAll('/', ''), given)
  const failed = await addTask('FAILED', given)
  const done = await addTask('DONE', given)
  await submit(`/t/${open.uuid}/instructions`, { text: evil })
  await driver.verb(failed.id, 'fail', { reasonCode: 'EVIL', reason: evil })
  await server.post('/tasks/awb/DONE/notes', { fileId: await uploadPhoto(), type: 3, note: evil })
  await server.post('/tasks/awb/DONE/notes', { fileId: await uploadPhoto(), note: evil })
  await driver.verb(done.id, 'start')
  await driver.verb(done.id, 'complete')
  await submit(`/t/${done.uuid}/feedback`, { rating: '1', comment: evil })
  const { link } = (await server.post('/proofLinks', { awbs: ['<b>1<b>', 'FAILED', 'DONE'] })).body.proofLink
  const paths = [open, failed, done].map(({ uuid }) => `/t/${uuid}?refused=${encodeURIComponent(evil)}`)
  for (const path of [...paths, new URL(link).pathname])
    for (const language of ['en', 'ro']) {
      const page = await (await visit(path, { headers: { 'accept-language': language } })).text()
      assert.ok(page.includes('&quot;&gt;&lt;script&gt;alert(1)'), path)
      assert.doesNotMatch(page, /<script(?! type="module" crossorigin src="\/assets\/)|<img src=x|<b>1|" onclick/, path)
      assert.equal(page.match(/<\/style>/g)?.length, 1, path)
    }
  const paper = await visit(`${new URL(link).pathname}/proof.pdf`)
  assert.match(readPdf(new Uint8Array(await paper.arrayBuffer()))[0]?.text ?? '', /FAILED\nNot delivered/)
})

test('a recipient finds nothing in the proof that the page does not show', async (t) => {
  const { server, addTask, driver, visit, uploadPhoto } = await aCourier(t)
  const { id, uuid } = await addTask('FAILED')
  await server.post('/tasks/awb/FAILED/notes', { fileId: await uploadPhoto(), note: 'Their dog' })
  await driver.verb(id, 'start')
  await driver.verb(id, 'fail', { reason: 'Rude people' })
  const paper = await visit(`/t/${uuid}/proof.pdf`)
  const [sheet] = readPdf(new Uint8Array(await paper.arrayBuffer()))
  assert.match(sheet?.text ?? '', /Not delivered/)
  assert.doesNotMatch(sheet?.text ?? '', /Rude|dog|Surname/)
  assert.equal(sheet?.pictures, 0)
})

test('in no state and with no setting does a page say the surname, and the own number only on the way if the organisation says so', async (t) => {
  const { server, addTask, driver, visit } = await aCourier(t)
  await server.put('/company', { phone: '+40211112222' })
  const own = driver.phone.slice(-9)
  const states = ['assigned', 'start', 'arrive', 'complete'] as const
  const ways = ['driver', ' Driver ', '+40213334444', '']
  const tasks: { uuid: string; state: (typeof states)[number] }[] = []
  for (const state of states) {
    const task = await addTask(`IS-${state}`, { customer: { name: 'Ana', phone: '+40722123456' } })
    for (const verb of states.slice(1, states.indexOf(state) + 1)) await driver.verb(task.id, verb)
    tasks.push({ ...task, state })
  }
  for (const callForwardingRecipient of ways)
    for (const isShown of [true, false]) {
      const names = ['displayCallButton', 'displayMessageButton', 'displayDestinationDetails']
      const shown = Object.fromEntries([...names, 'displayTransportationDetails'].map((name) => [name, isShown]))
      await server.put('/company', { settings: { callForwardingRecipient, ...shown } })
      for (const { uuid, state } of tasks) {
        const text = [await visit(`/t/${uuid}`), await visit(`/t/${uuid}/task`)].map((reply) => reply.text())
        const seen = (await Promise.all(text)).join()
        const says = `${state} ${JSON.stringify(callForwardingRecipient)} ${isShown}`
        assert.doesNotMatch(seen, /Surname|722123456|\bAna\b/, says)
        const isOnTheWay = state === 'start' || state === 'arrive'
        const isDriver = callForwardingRecipient.trim().toLowerCase() === 'driver'
        assert.equal(seen.includes(own), isShown && isDriver && isOnTheWay, says)
        assert.equal(/21111222|21333444/.test(seen), isShown && !(isDriver && isOnTheWay), says)
        assert.equal(/Lipscani|Van</.test(seen), isShown, says)
      }
    }
})

test('a driver is not seen off duty, by the customer of another task, or by one whose task another driver took', async (t) => {
  const { server, addTask, addDriver, driver, see } = await aCourier(t)
  const [{ id, uuid }, other] = [await addTask('ON-ITS-WAY'), await addTask('OTHER')]
  await driver.verb(id, 'start')
  await driver.report(44.4512, 26.1134)
  assert.deepEqual([(await see(uuid)).position?.lat, (await see(other.uuid)).position], [44.4512, null])
  await driver.call('PUT', 'duty', { inShift: false })
  assert.equal((await see(uuid)).position, null, 'off duty')
  await driver.call('PUT', 'duty', { inShift: true })
  await server.post('/tasks/bulkUnassign', { tasks: ['ON-ITS-WAY'] })
  await driver.report(44.4513, 26.1135)
  const unassigned = await see(uuid)
  assert.deepEqual([unassigned.state, unassigned.position, unassigned.driver], ['planned', null, null])
  const second = await addDriver('Dan Other')
  await second.report(44.5, 26.2)
  await server.put(`/containers/drivers/${second.id}`, { tasks: ['ON-ITS-WAY'] })
  await second.verb(id, 'start')
  const reassigned = await see(uuid)
  assert.deepEqual([reassigned.driver.firstName, reassigned.position], ['Dan', null], 'seen before the start only')
  await server.database.everyone.run(sql`
    update driver_positions set occurred_at = now() where driver_id = ${second.id}`)
  assert.equal((await see(uuid)).position.lat, 44.5)
})

test('times are those of the organisation’s zone, on the days the clock changes and around midnight too', () => {
  const at = (text: string) => new Date(text)
  const times = (now: string) => timesIn('en', 'Europe/Bucharest', sayIn('en'), at(now))
  // Summer time ends on 25 October 2026 at 4:00, which is 3:00 again; it begins on 29 March at 3:00.
  const cases: [now: string, from: string, to: string, range: string, day: string][] = [
    ['2026-10-24T21:30Z', '2026-10-24T22:00Z', '2026-10-25T21:59Z', '01:00–23:59', 'Today'],
    ['2026-10-25T21:59Z', '2026-10-25T22:00Z', '2026-10-26T01:00Z', '00:00–03:00', 'Tomorrow'],
    ['2026-10-25T20:00Z', '2026-10-25T21:30Z', '2026-10-25T22:30Z', 'Today 23:30 – tomorrow 00:30', 'Today'],
    ['2026-03-28T22:30Z', '2026-03-29T00:30Z', '2026-03-29T01:30Z', '02:30–04:30', 'Today'],
    [
      '2026-03-29T21:00Z',
      '2026-03-28T21:59Z',
      '2026-03-28T22:00Z',
      'Saturday 28 March 23:59 – yesterday 00:00',
      'Saturday 28 March',
    ],
  ]
  for (const [now, from, to, range, day] of cases) {
    const { rangeOf, dayOf } = times(now)
    assert.deepEqual([rangeOf(at(from), at(to)), dayOf(at(from))], [range, day], now)
  }
})

test('within a sentence a day is written as its language writes it there', () => {
  const [now, friday] = [new Date('2026-03-29T12:00Z'), new Date('2026-03-27T12:00Z')]
  const [yesterday, today] = [new Date('2026-03-28T12:00Z'), now]
  const within = (language: 'en' | 'ro') => {
    const { dayOf, dayWithin, rangeWithin } = timesIn(language, 'Europe/Bucharest', sayIn(language), now)
    return [dayWithin(yesterday), dayWithin(friday), dayOf(friday), rangeWithin(yesterday, today)]
  }
  assert.deepEqual(within('ro'), ['ieri', 'vineri, 27 martie', 'Vineri, 27 martie', 'ieri 14:00 – astăzi 15:00'])
  assert.deepEqual(within('en'), ['yesterday', 'Friday 27 March', 'Friday 27 March', 'yesterday 14:00 – today 15:00'])
})
