import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { distanceMetres, type Point } from '../../core/geo.ts'
import { decodePolyline } from '../../core/polyline.ts'
import { sql } from '../db/sql.ts'
import { aTask, beginDuty, makeDriver, signIn, zoneOfNoon } from '../test/factories.ts'
import { importRoads } from '../test/imported-roads.ts'
import { photo } from '../test/pictures.ts'
import { at } from '../test/river-town.ts'
import { request, startServer } from '../test/server.ts'
import { until } from '../test/until.ts'

/** Each comes from another address, because wrong links are counted. */
let visitors = 0

/** An organisation with a driver who has one task for a customer, and short ways to do what people do. */
async function aDelivery(t: TestContext, given: object = {}) {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const driver = await makeDriver(server, { name: 'Vlad Ene', driverTransportationId: 5 })
  const token = await signIn(server, driver)
  await beginDuty(server.url, token)
  visitors += 1
  const address = `203.0.113.${visitors}`
  const as = (headers: Record<string, string> = {}) => ({ headers: { 'x-forwarded-for': address, ...headers } })
  const { id, uuid, awb } = (await server.post('/tasks', aTask({ awb: 'BUC1-0135', userId: driver.id, ...given }))).body
    .task as { id: number; uuid: string; awb: string }
  const drive = async (method: string, path: string, options: object) =>
    request(server.url, method, `/api/v1/driver/${path}`, { key: token, ...options })
  return {
    server,
    driver,
    token,
    id,
    uuid,
    awb,
    as,
    open: (headers: Record<string, string> = {}, token = uuid) =>
      request(server.url, 'GET', `/t/${token}`, as(headers)),
    look: async () => (await request(server.url, 'GET', `/t/${uuid}/task`, as())).body.tracking,
    verb: (name: string, body: object = {}) => drive('POST', `tasks/${id}/${name}`, { body }),
    report: (lat: number, lng: number) => drive('POST', 'locations', { body: { locations: [{ lat, lng }] } }),
    async takePicture(type = 2, note?: string, taskId = id) {
      const fileId = randomUUID()
      const headers = { 'content-type': 'image/jpeg' }
      await drive('PUT', `files/${fileId}`, { raw: photo, headers })
      await drive('POST', `tasks/${taskId}/notes`, { body: { fileId, type, ...(note && { note }) } })
      return fileId
    },
    file: (fileId: string, token = uuid) => fetch(`${server.url}/t/${token}/files/${fileId}?size=thumb`, as()),
    submit: (path: string, fields: Record<string, string>) =>
      fetch(`${server.url}/t/${uuid}/${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
        ...as(),
      }),
    /** The task ended this many hours ago. */
    endedHoursAgo: (hours: number) =>
      server.database.everyone.run(sql`
        update tasks set completed_at = now() - make_interval(hours => ${hours}) where id = ${id}`),
  }
}

test('a customer opens the link of a task and reads its state, in their language', async (t) => {
  const { server, uuid: planned } = await aDelivery(t)
  const { uuid } = (await server.post('/tasks', aTask({ awb: 'LATER' }))).body.task
  const read = async (token: string, language = 'en') =>
    (await request(server.url, 'GET', `/t/${token}`, { headers: { 'accept-language': language } })).text
  assert.match(await read(uuid), /<html lang="en">.*We have your order.*LATER/s)
  assert.match(await read(uuid, 'ro-RO,ro;q=0.9,en;q=0.8'), /<html lang="ro">.*Am primit comanda ta/s)
  assert.match(await read(planned), /<h1>.*Planned<\/h1>/)
})

const elsewhere = { address: 'Strada Lunga 1', lat: 44.45, lng: 26.05 }

test('the page names the driver by the first name only, and says when they come and how many stops are before', async (t) => {
  const { server, driver, open, look, verb, id, awb } = await aDelivery(t)
  const timezone = zoneOfNoon()
  await server.put('/company', { timezone })
  const today = Temporal.Now.plainDateISO(timezone)
  await server.put(`/tasks/awb/${awb}`, { completeAfter: `${today} 14:00`, completeBefore: `${today} 16:00` })
  const { task: first } = (
    await server.post(
      '/tasks',
      aTask({ awb: 'BEFORE', userId: driver.id, address: elsewhere, customer: { name: 'Somebody Else' } }),
    )
  ).body
  await server.put(`/drivers/${driver.id}/tasks/order`, { tasks: [first.id, id] })
  const { text } = await open()
  assert.match(text, /Planned.*14:00–16:00.*1 stop before you.*Vlad/s)
  for (const hidden of ['Ene', driver.phone.slice(-6), 'Somebody', 'BEFORE']) assert.ok(!text.includes(hidden), hidden)
  // What is on its way comes first, whatever the route says.
  await verb('start')
  assert.equal((await look()).stopsBefore, 0)
  assert.match((await open({ 'accept-language': 'ro' })).text, /Pe drum spre tine.*Urmezi tu/s)
})

test('neighbours at the same door are one stop before a customer, and none before each other', async (t) => {
  const { server, driver, look, id, awb } = await aDelivery(t)
  const door = { lat: 44.4301, lng: 26.1002 }
  const at = (place: object) => ({ address: { address: 'Strada Lunga 1', ...place } })
  const neighbour = (name: string) => server.post('/tasks', aTask({ awb: name, userId: driver.id, ...at(door) }))
  const [one, other] = [(await neighbour('A')).body.task, (await neighbour('B')).body.task]
  await server.put(`/drivers/${driver.id}/tasks/order`, { tasks: [one.id, other.id, id] })
  await server.put(`/tasks/awb/${awb}`, at({ lat: 44.44, lng: 26.1 }))
  assert.equal((await look()).stopsBefore, 1)
  await server.put(`/tasks/awb/${awb}`, at(door))
  assert.equal((await look()).stopsBefore, 0)
})

test('stops of another day are not before anybody today, and a customer of another day is not told of those of today', async (t) => {
  const { server, driver, look, id, awb } = await aDelivery(t)
  const { task: first } = (await server.post('/tasks', aTask({ awb: 'BEFORE', userId: driver.id, address: elsewhere })))
    .body
  await server.put(`/drivers/${driver.id}/tasks/order`, { tasks: [first.id, id] })
  const etaAt = new Date(Date.now() + 30 * 60_000)
  const rangeMinutes = async () => {
    await server.database.everyone.run(sql`update tasks set eta_at = ${etaAt} where id = ${id}`)
    const { stopsBefore, arrival } = await look()
    return [stopsBefore, (Date.parse(arrival.to) - Date.parse(arrival.from)) / 60_000]
  }
  const [stops, wide] = await rangeMinutes()
  assert.equal(stops, 1)
  await server.put('/tasks/awb/BEFORE', { completeAfter: '2030-06-10 14:00' })
  const [none, narrow] = await rangeMinutes()
  assert.equal(none, 0)
  assert.ok(narrow <= wide, `${narrow} ${wide}`)

  await server.put('/tasks/awb/BEFORE', { completeAfter: null })
  await server.put(`/tasks/awb/${awb}`, { completeAfter: '2030-06-10 14:00' })
  assert.equal((await look()).stopsBefore, null)
})

test('where the driver is can be seen only while this task is on its way', async (t) => {
  const { report, open, look, verb } = await aDelivery(t)
  const isShown = async () => {
    const [page, { position }] = [(await open()).text, await look()]
    const shown = position !== null
    assert.equal(/44\.45|26\.11|data-lat=/.test(page), shown, page)
    return shown
  }
  await report(44.4512, 26.1134)
  assert.equal(await isShown(), false, 'not started')
  await verb('start')
  assert.equal(await isShown(), false, 'seen before the start only')
  await report(44.4523, 26.1145)
  assert.equal(await isShown(), true)
  await verb('arrive')
  assert.equal(await isShown(), false, 'arrived')
  await verb('complete')
  assert.equal(await isShown(), false, 'ended')
})

test('no third party is asked, no script stands in the page, and nobody is told where its reader came from', async (t) => {
  const { server, open, awb } = await aDelivery(t)
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
  await server.put(`/tasks/awb/${awb}`, { address: { address: evil } })
  const { text, headers } = await open()
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.match(headers.get('x-robots-tag') ?? '', /noindex/)
  assert.match(
    headers.get('content-security-policy') ?? '',
    /default-src 'none'; script-src 'self'; style-src 'self' 'sha256-/,
  )
  assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe/)
  assert.ok(text.includes('&quot;&gt;&lt;script&gt;alert(1)'), text)
  assert.doesNotMatch(text, /<script(?! type="module" crossorigin src="\/assets\/)|https?:\/\/|<img src=x/)
})

test('the browser itself forbids every other host, unless the operator has chosen a map', async (t) => {
  const hostsOf = async (environment: Record<string, string>) => {
    const server = await startServer(t, environment)
    const { uuid } = (await server.post('/tasks', aTask())).body.task
    const { headers } = await request(server.url, 'GET', `/t/${uuid}`)
    const { mapStyle } = (await request(server.url, 'GET', '/tracking.json')).body
    return [(headers.get('content-security-policy') ?? '').match(/https?:[^ ;]+/g), mapStyle]
  }
  assert.deepEqual(await hostsOf({ WAYBILL_MAP_HOSTS: 'https://tiles.example.com' }), [null, undefined])
  const style = 'https://maps.example.com/style.json'
  assert.deepEqual(await hostsOf({ WAYBILL_MAP_STYLE: style }), [
    ['https://maps.example.com', 'https://maps.example.com'],
    style,
  ])
})

test('a link that was never given, one of a deleted task and one that has closed are the same to a stranger', async (t) => {
  const { server, uuid, open, awb, as, verb, endedHoursAgo } = await aDelivery(t)
  const { uuid: deleted } = (await server.post('/tasks', aTask({ awb: 'GONE' }))).body.task
  await server.delete('/tasks/awb/GONE')
  await verb('start')
  await verb('complete')
  await endedHoursAgo(23)
  assert.match((await open()).text, /This page closes/)
  await endedHoursAgo(25)
  const answers = new Set<string>()
  for (const token of [uuid, deleted, 'A'.repeat(22), awb, 'x'.repeat(200)]) {
    const page = await open({}, token)
    assert.equal(page.status, 404)
    const json = await request(server.url, 'GET', `/t/${token}/task`, as())
    const stream = await request(server.url, 'GET', `/t/${token}/stream`, as())
    const picture = await fetch(`${server.url}/t/${token}/files/${randomUUID()}`, as())
    assert.deepEqual([json.status, stream.status, picture.status], [404, 404, 404])
    answers.add(page.text + json.body.error.code + stream.body.error.code)
    for (const path of ['feedback', 'instructions']) {
      const body = { rating: 5, text: 'Hello' }
      assert.equal(
        (
          await request(server.url, 'POST', `/t/${token}/${path}`, {
            ...as({ 'x-forwarded-for': '2001:db8::1' }),
            body,
          })
        ).status,
        404,
      )
    }
  }
  assert.equal(answers.size, 1)
})

test('who guesses links is soon refused, and who has one may go on', async (t) => {
  const { open } = await aDelivery(t)
  const from = { 'x-forwarded-for': '203.0.113.251' }
  assert.equal((await open(from)).status, 200)
  const guess = (tries: number) => open({ ...from, 'accept-language': 'ro' }, `guess-${tries}`)
  // The one that was refused is looked at: a moment later another guess may be free again.
  let refused = await guess(0)
  for (let tries = 1; refused.status === 404; tries += 1) {
    assert.ok(tries < 400, 'it ends')
    refused = await guess(tries)
  }
  assert.equal(refused.status, 429)
  assert.match(refused.text, /<h1>Prea multe încercări/)
  assert.ok(refused.headers.get('retry-after'))
  assert.equal((await open(from)).status, 200)
})

test('after the end the page shows the photos and who received it, never the signature', async (t) => {
  const { server, driver, open, look, verb, takePicture, file } = await aDelivery(t)
  const { task: other } = (await server.post('/tasks', aTask({ awb: 'OTHER', userId: driver.id }))).body
  await verb('start')
  const [picture, signed, foreign] = [
    await takePicture(),
    await takePicture(3, 'Ioana Marin'),
    await takePicture(2, undefined, other.id),
  ]
  assert.equal((await file(picture)).status, 404, 'the task has not ended')
  assert.equal((await look()).receivedBy, null)
  await verb('complete')
  const { text } = await open()
  assert.match(text, /Delivered.*Today at \d\d:\d\d.*Received by Ioana Marin/s)
  assert.ok(text.includes(picture) && !text.includes(signed) && !text.includes(foreign))
  const got = await file(picture)
  assert.deepEqual([got.status, got.headers.get('content-type')], [200, 'image/jpeg'])
  assert.equal((await file(signed)).status, 404, 'a signature')
  assert.equal((await file(foreign)).status, 404, 'a photo of another task')
  assert.equal((await file(picture, other.uuid)).status, 404, 'with the link of another task')
})

test('the logo and the picture of the driver are shown under the link', async (t) => {
  const { server, token, look, file } = await aDelivery(t)
  const headers = { 'content-type': 'image/jpeg' }
  const logo = (await request(server.url, 'POST', '/api/v1/files', { key: server.key, raw: photo, headers })).body.file
  await server.put('/company', { logo: logo.path })
  const avatar = randomUUID()
  await request(server.url, 'PUT', `/api/v1/driver/files/${avatar}`, { key: token, raw: photo, headers })
  await request(server.url, 'PUT', '/api/v1/driver/profile', { key: token, body: { avatar } })
  const shown = await look()
  assert.ok(shown.company.logo.endsWith(logo.id) && shown.driver.avatar.endsWith(avatar))
  assert.deepEqual([(await file(logo.id)).status, (await file(avatar)).status], [200, 200])
})

test('a failed task names the reason the driver chose, in the reader’s language, and nothing the driver wrote', async (t) => {
  const { server, open, verb } = await aDelivery(t)
  await server.post('/reasons', { code: 'NOBODY', label: 'Nobody there', labels: { ro: 'Nu era nimeni' } })
  await verb('start')
  await verb('fail', { reasonCode: 'NOBODY', reason: 'rude people' })
  const { text } = await open({ 'accept-language': 'ro' })
  assert.match(text, /Nu a fost livrat.*Motiv: Nu era nimeni/s)
  assert.doesNotMatch(text, /rude/)
})

test('instructions reach the driver at once, with or without script, until the driver is there', async (t) => {
  const { server, uuid, awb, open, look, verb, submit, token, as } = await aDelivery(t, { customerNotes: 'Ring twice' })
  const leave = (text: string) => request(server.url, 'POST', `/t/${uuid}/instructions`, { body: { text }, ...as() })
  const sync = async (cursor?: string) =>
    (
      await request(server.url, 'POST', '/api/v1/driver/sync', {
        key: token,
        body: { deviceTime: new Date().toISOString(), ...(cursor && { cursor }) },
      })
    ).body
  const { cursor } = await sync()
  assert.equal((await leave('Intercom 41 ')).status, 200)
  assert.equal((await leave('Intercom 41')).status, 200, 'as after a lost answer')
  const posted = await submit('instructions', { text: 'Third floor\r\n& no lift' })
  assert.deepEqual([posted.status, posted.headers.get('location')], [303, `/t/${uuid}`])
  const notes = 'Ring twice\nIntercom 41\nThird floor\n& no lift'
  assert.equal((await sync(cursor)).changes.tasks[0].customerNotes, notes)
  assert.deepEqual(await server.triggers(awb), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UPDATED', 'TASK_UPDATED'])
  const { text } = await open()
  assert.match(text, /<li>Intercom 41<\/li><li>Third floor\n&amp; no lift<\/li>.*<textarea/s)
  assert.ok(!text.includes('Ring twice'), 'what others wrote is not shown')

  assert.equal((await leave('x'.repeat(501))).body.error.code, 'VALIDATION_FAILED')
  await verb('start')
  await verb('arrive')
  assert.equal((await leave('Too late')).body.error.code, 'INSTRUCTIONS_CLOSED')
  const refused = await submit('instructions', { text: 'Too late' })
  assert.equal(refused.headers.get('location'), `/t/${uuid}?refused=INSTRUCTIONS_CLOSED`)
  assert.doesNotMatch((await open()).text, /<textarea/)
  assert.equal((await look()).instructions.given.length, 2)
})

test('a form without script rates a task once, and the page thanks', async (t) => {
  const { uuid, open, verb, submit } = await aDelivery(t)
  await verb('start')
  await verb('complete')
  assert.match((await open()).text, /How was the delivery\?/)
  assert.equal((await submit('feedback', { rating: '4', comment: 'Kind' })).headers.get('location'), `/t/${uuid}`)
  const { text } = await open()
  assert.match(text, /Thank you.*4 of 5.*Kind/s)
  const again = await submit('feedback', { rating: '1', comment: '' })
  assert.equal(again.headers.get('location'), `/t/${uuid}?refused=FEEDBACK_GIVEN`)
  assert.match((await open({}, `${uuid}?refused=FEEDBACK_GIVEN`)).text, /role="alert">You have already rated this/)
})

/** A page that listens. */
async function listen(t: TestContext, url: string, headers: Record<string, string>) {
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const response = await fetch(url, { headers, signal: leaving.signal })
  const heard = { text: '' }
  const reading = (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) heard.text += Buffer.from(chunk)
  })()
  reading.catch(() => {})
  return { status: response.status, calls: () => heard.text.match(/^event: changed$/gm)?.length ?? 0, heard }
}

test('a page is told when its own task changes, or the stops before it, and of nothing else', async (t) => {
  const { server, driver, uuid, as, verb, report } = await aDelivery(t)
  const colleague = await makeDriver(server)
  const { task: other } = (await server.post('/tasks', aTask({ awb: 'OTHER', userId: colleague.id }))).body
  const own = await listen(t, `${server.url}/t/${uuid}/stream`, as().headers)
  const others = await listen(t, `${server.url}/t/${other.uuid}/stream`, as().headers)
  const called = (times: number) => until(`call ${times}`, () => own.calls() >= times)
  await until('both to listen', () => own.heard.text !== '' && others.heard.text !== '')
  await verb('start')
  await called(1)
  await report(44.45, 26.11)
  await called(2)
  await server.post('/tasks', aTask({ awb: 'NEXT', userId: driver.id }))
  await called(3)
  assert.equal(others.calls(), 0)
  assert.doesNotMatch(own.heard.text.replace(/^(event: changed|data: \{\}|retry: 5000|: still here|)$/gm, ''), /\S/)
  await server.put('/tasks/awb/OTHER/forceComplete', {})
  await until('the other', () => others.calls() === 1)
})

test('one address keeps only so many streams open', async (t) => {
  const { server, uuid, as } = await aDelivery(t)
  const headers = { ...as().headers, 'x-forwarded-for': '198.51.100.9' }
  const statuses = []
  for (let count = 0; count < 21; count += 1)
    statuses.push((await listen(t, `${server.url}/t/${uuid}/stream`, headers)).status)
  assert.deepEqual([statuses.slice(0, 20).every((status) => status === 200), statuses.at(-1)], [true, 429])
})

test('the customer sees the way from the shown position to the own address, while the driver is on the way', async (t) => {
  const home = at(3, 0)
  const delivery = await aDelivery(t, { address: { address: 'Calea 3', ...home } })
  const { server, driver, look, verb, report } = delivery
  // Somebody else is visited before, on the other side of the town.
  const other = { address: { address: 'Calea 0', ...at(0, 4) }, userId: driver.id }
  await server.post('/tasks', aTask({ awb: 'OTHER', ...other }))
  await importRoads(t, server)
  const [lat, lng] = [at(2, 0).lat + 0.000_04, at(2, 0).lng + 0.000_04]
  await report(lat, lng)
  assert.equal((await look()).line, null, 'assigned')

  await verb('start')
  await report(lat, lng)
  await until('the roads to be taken over', async () => (await look()).line !== null)
  const { line, position } = await look()
  const way = decodePolyline(line)
  const farOff = (point: Point | undefined, from: Point) => distanceMetres(point as Point, from)
  assert.ok(farOff(way[0], position) < 15 && farOff(way.at(-1), home) < 15)
  assert.ok(
    way.some((point) => farOff(point, at(2, 2)) < 15),
    'over the bridge',
  )
  for (const point of way) assert.ok(farOff(point, at(0, 4)) > 150, 'nothing of where else the driver goes')

  await server.put('/company', { settings: { displayDestinationDetails: false } })
  assert.equal((await look()).line, null, 'an address that is not shown is not shown by its way')
  await server.put('/company', { settings: { displayDestinationDetails: true } })
  await verb('arrive')
  const { state, line: gone, position: nowhere } = await look()
  assert.deepEqual([state, gone, nowhere], ['arrived', null, null])
})
