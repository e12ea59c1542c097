import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { longest, mostLabels } from '../../contract/limits.ts'
import { readCodes, renderPdf } from '../test/codes.ts'
import { aTask, makeDriver, makeTeam, signIn } from '../test/factories.ts'
import { aPair, taskOf } from '../test/partners.ts'
import { readPdf } from '../test/pdf.ts'
import { makePng } from '../test/pictures.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { readZpl, type ZplField } from '../test/zpl.ts'

type Caller = Pick<TestServer, 'url' | 'key'>

async function labelsOf(server: Caller, awbs: string[], format: string, given: object = {}) {
  const reply = await request(server.url, 'POST', '/api/v1/labels', {
    key: server.key,
    body: { awbs, format, ...given },
  })
  assert.equal(reply.status, 200, reply.text.slice(0, 300))
  return { bytes: reply.bytes, headers: reply.headers, text: Buffer.from(reply.bytes).toString() }
}

/** What a scanner reads from every page, printed by an office printer. */
async function scan(bytes: Uint8Array) {
  const pages = await renderPdf(bytes, 300)
  const read: { format: string; text: string }[][] = []
  for (const page of pages) read.push(await readCodes(page, ['Code128', 'QRCode']))
  return read
}

const bothOf = (awb: string) => [
  { format: 'Code128', text: awb },
  { format: 'QRCode', text: awb },
]

const fullTask = (given: object = {}) =>
  aTask({
    awb: 'RO-4711',
    customer: { name: 'Ștefania Țânțăreanu', phone: '0722000111' },
    address: {
      address: 'Strada Îngerașului 12',
      addressSecondLine: 'bl. A3, sc. 2, ap. 17',
      city: 'Târgu Mureș',
      postalCode: '540001',
      lat: 46.54,
      lng: 24.56,
    },
    totalPrice: 89,
    quantity: 3,
    priority: 2,
    customerNotes: 'Sunați cu 10 minute înainte',
    completeAfter: '2031-03-05 09:00',
    completeBefore: '2031-03-05 12:00',
    ...given,
  })

async function start(t: TestContext) {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  await server.put('/company', { name: 'Curierul Șoim' })
  return server
}

test('a label says who, where and what to collect, in the language of the customers, with codes that scan', async (t) => {
  const server = await start(t)
  const { body } = await request(server.url, 'POST', '/api/v1/files', {
    key: server.key,
    raw: makePng(200, 80, { alpha: 30 }),
    headers: { 'content-type': 'image/png' },
  })
  await server.put('/company', { logo: body.file.id })
  const hub = (await server.post('/hubs', { name: 'Depozit Nord', address: 'Calea Griviței 100', lat: 44.4, lng: 26 }))
    .body.hub
  const team = await makeTeam(server, { hubId: hub.id })
  await server.post('/tasks', fullTask({ teamId: team.id }))

  const reply = await request(server.url, 'GET', '/api/v1/labels?awbs=RO-4711', { key: server.key })
  assert.equal(reply.headers.get('content-type'), 'application/pdf')
  assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="label-RO-4711.pdf"')
  const [page, ...others] = readPdf(reply.bytes)
  assert.equal(others.length, 0)
  assert.equal(page?.pictures, 1, 'the logo')
  for (const words of [
    'Curierul Șoim',
    'Expeditor: Curierul Șoim',
    'Depozit Nord, Calea Griviței 100',
    'Destinatar',
    'Ștefania Țânțăreanu',
    'Strada Îngerașului 12',
    'bl. A3, sc. 2, ap. 17',
    '540001 Târgu Mureș',
    '+40722000111',
    'Ramburs',
    '(numerar)',
    'Colete\n3',
    'Interval',
    'PRIORITAR',
    'Sunați cu 10 minute înainte',
    'RO-4711',
  ])
    assert.ok(page?.text.includes(words), `${words} in ${page?.text}`)
  assert.deepEqual(await scan(reply.bytes), [bothOf('RO-4711')])

  const english = await labelsOf(server, ['RO-4711'], 'pdf-a6', { language: 'en' })
  assert.match(readPdf(english.bytes)[0]?.text ?? '', /Collect on delivery/)
  const known = { 'if-none-match': reply.headers.get('etag') ?? '' }
  const again = await fetch(`${server.url}/api/v1/labels?awbs=RO-4711`, {
    headers: { authorization: server.key, ...known },
  })
  assert.equal(again.status, 304)
})

test('four labels go on a page of A4, in the order asked for, one of them twice if it was asked for twice', async (t) => {
  const server = await start(t)
  for (const awb of ['A-1', 'A-2', 'A-3', 'A-4']) await server.post('/tasks', aTask({ awb }))
  const { bytes } = await labelsOf(server, ['A-3', 'A-1', 'A-2', 'A-4', 'A-3'], 'pdf-a4')
  const [first, second, ...others] = readPdf(bytes)
  assert.equal(others.length, 0)
  const order = [...(first?.text.matchAll(/^A-\d$/gm) ?? [])].map(([awb]) => awb)
  assert.deepEqual(order, ['A-3', 'A-1', 'A-2', 'A-4'])
  assert.match(second?.text ?? '', /^A-3$/m)
  const [codes, rest] = await scan(bytes)
  assert.deepEqual(
    codes?.map(({ text }) => text),
    ['A-1', 'A-2', 'A-3', 'A-4', 'A-1', 'A-2', 'A-3', 'A-4'],
  )
  assert.deepEqual(rest, bothOf('A-3'))
})

test('a task with nothing but an address has a label too, that says there is nothing to collect', async (t) => {
  const server = await start(t)
  await server.post('/tasks', { awb: 'BARE', address: { address: 'Undeva', lat: 44, lng: 26 }, totalPrice: 0 })
  const { bytes } = await labelsOf(server, ['BARE'], 'pdf-a6')
  assert.match(readPdf(bytes)[0]?.text ?? '', /Ramburs\nFără ramburs/)
  assert.deepEqual(await scan(bytes), [bothOf('BARE')])
})

test('where drivers may not call, the label does not say the number', async (t) => {
  const server = await start(t)
  await server.put('/company', { settings: { allowDriverToCallTheCustomer: false } })
  await server.post('/tasks', fullTask())
  const { bytes } = await labelsOf(server, ['RO-4711'], 'pdf-a6')
  assert.doesNotMatch(readPdf(bytes)[0]?.text ?? '', /722000111/)
})

const strange = '\u202eשלום مرحبا 你好 👩‍👩‍👧‍👦 ^XZ~JR \\ _41 '
const long = (text: string, length: number) =>
  text
    .repeat(Math.ceil(length / text.length))
    .slice(0, length)
    .trim()
const longestTask = (awb: string, text: string) =>
  fullTask({
    awb,
    customer: { name: long(text, longest.name), phone: '0722000111' },
    address: {
      address: long(text, longest.addressLine),
      addressSecondLine: long(text, longest.addressLine),
      city: long(text, longest.name),
      postalCode: long(text, longest.postalCode),
      lat: 44,
      lng: 26,
    },
    customerNotes: long(text, 2_000),
    totalPrice: 2_147_483_647,
    quantity: 2_147_483_647,
    pickupTask: true,
  })

const awbs = {
  digits: '1234567890'.repeat(7).slice(0, 64),
  letters: 'AbCdEfGhIj'.repeat(7).slice(0, 64),
  fitting: 'W'.repeat(38),
  signs: 'x ^~\\_>&"<%,0',
  romanian: 'COLET-ȘȚĂÎÂ-1',
  chinese: '包裹-88',
}

test('however long and strange everything is, the codes scan; where bars cannot say it the QR code does', async (t) => {
  const server = await start(t)
  await server.put('/company', { name: long('Curierul Șoim ', longest.name) })
  for (const [at, awb] of Object.values(awbs).entries()) {
    const text = ['W', 'Strada Îngerașului ', strange][at % 3] as string
    const { status, text: reply } = await server.post('/tasks', longestTask(awb, text))
    assert.equal(status, 200, reply)
  }
  const { bytes } = await labelsOf(server, Object.values(awbs), 'pdf-a6')
  const { letters, romanian, chinese } = awbs
  const withoutBars = [letters, romanian, chinese]
  assert.deepEqual(
    await scan(bytes),
    Object.values(awbs).map((awb) => bothOf(awb).slice(withoutBars.includes(awb) ? 1 : 0)),
  )
  const pages = readPdf(bytes).map(({ text }) => text)
  Object.values(awbs).forEach((awb, at) => {
    assert.equal(/Scanează\s+codul\s+QR/.test(pages[at]?.replaceAll('\n', ' ') ?? ''), withoutBars.includes(awb), awb)
  })
})

const overlap = (one: ZplField, other: ZplField) =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height

test('a thermal printer gets the same, nothing over anything else, and no text is a command', async (t) => {
  const server = await start(t)
  const texts = ['W', 'Strada Îngerașului ', strange]
  for (const [at, awb] of Object.values(awbs).entries())
    await server.post('/tasks', longestTask(awb, texts[at % 3] as string))
  await server.post('/tasks', fullTask())
  const all = ['RO-4711', ...Object.values(awbs)]
  const { headers, text } = await labelsOf(server, all, 'zpl')
  assert.equal(headers.get('content-type'), 'application/zpl')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="labels.zpl"')
  const labels = readZpl(text)
  assert.equal(labels.length, all.length)
  assert.equal(text.match(/\^X[AZ]|~/g)?.length, 2 * all.length, 'what was typed is no command')
  assert.ok([...text].every((one) => one === '\n' || (one >= ' ' && one <= '~')))
  labels.forEach((fields, at) => {
    const awb = all[at] as string
    const [bars, qr] = [fields.find(({ kind }) => kind === 'code128'), fields.find(({ kind }) => kind === 'qr')]
    assert.equal(qr?.data, awb)
    const isFitting = ![awbs.digits, awbs.letters, awbs.romanian, awbs.chinese, awbs.fitting].includes(awb)
    assert.equal(bars?.data, isFitting ? awb : undefined, awb)
    if (bars) assert.ok(bars.dots >= 2)
    const written = fields.filter(({ kind }) => kind === 'text')
    for (const [place, one] of written.entries()) {
      assert.ok(one.left + one.width <= 800 && one.top + one.height <= 1_200, one.data)
      for (const other of written.slice(place + 1))
        assert.ok(
          !overlap(one, other),
          `${one.data.slice(0, 20)} (${one.top}+${one.height}) over ${other.data.slice(0, 20)} (${other.top})`,
        )
    }
  })
  const said = labels[0]?.map(({ data }) => data)
  for (const words of [
    'Curierul Șoim',
    'Ștefania Țânțăreanu',
    'Strada Îngerașului 12',
    'bl. A3, sc. 2, ap. 17',
    '540001 Târgu Mureș',
    'RO-4711',
    '3',
  ])
    assert.ok(said?.includes(words), `${words} in ${said?.join(' | ')}`)
})

/** Of 255, at a place of a logo: letters on white, beside them an area that gets darker from left to right, and a half that is not there. */
function greyAt(x: number, y: number): number {
  if (x < 96) return (x >> 3) % 3 === 0 && y > 16 && y < 64 ? 0 : 255
  return x < 192 ? 255 - Math.round(((x - 96) * 255) / 96) : 255
}

const logoSize = { width: 240, height: 80 }

/** As a PNG, `scale` times as large; the right is transparent, and black where it does not show. */
function makeLogo(scale: number) {
  const rows = Array.from({ length: logoSize.height * scale }, (_, y) => [
    0,
    ...Array.from({ length: logoSize.width * scale }, (_, x) => {
      const [left, top] = [Math.floor(x / scale), Math.floor(y / scale)]
      const grey = greyAt(left, top)
      return left < 192 ? [grey, grey, grey, 255] : [0, 0, 0, 0]
    }).flat(),
  ])
  return makePng(logoSize.width * scale, logoSize.height * scale, { pixels: Buffer.from(rows.flat()) })
}

async function setLogo(server: TestServer, raw: Uint8Array<ArrayBuffer>) {
  const headers = { 'content-type': 'image/png' }
  const { body } = await request(server.url, 'POST', '/api/v1/files', { key: server.key, raw, headers })
  await server.put('/company', { logo: body.file.id })
}

test('a thermal printer gets the logo as black dots that look like it', async (t) => {
  const server = await start(t)
  await server.post('/tasks', fullTask())
  const fieldsOf = async () => readZpl((await labelsOf(server, ['RO-4711'], 'zpl')).text)[0] ?? []
  const pictureOf = (fields: ZplField[]) => fields.find(({ kind }) => kind === 'picture')
  assert.equal(pictureOf(await fieldsOf()), undefined, 'there is none')

  await setLogo(server, makeLogo(3))
  const fields = await fieldsOf()
  const picture = pictureOf(fields)
  const { width = 0, height = 0, isBlack = () => false } = picture ?? {}
  assert.deepEqual([width, height], [logoSize.width, logoSize.height])
  for (const other of fields) if (other !== picture && picture) assert.ok(!overlap(other, picture), other.data)
  const side = 8
  for (let top = 0; top < height; top += side)
    for (let left = 0; left < width; left += side) {
      const inside = Array.from({ length: side * side }, (_, at) => [left + (at % side), top + (at >> 3)] as const)
      const black = inside.filter(([x, y]) => isBlack(x, y)).length / inside.length
      const wanted = inside.reduce((sum, [x, y]) => sum + (255 - greyAt(x, y)) / 255, 0) / inside.length
      const isPlain = left < 96 || left >= 192
      assert.ok(
        isPlain ? Math.abs(black - wanted) <= 1 / side : Math.abs(black - wanted) <= 0.15,
        `at ${left}, ${top} ${black} is black instead of ${wanted}`,
      )
    }
  const middles = Array.from({ length: 96 }, (_, at) => [at, 40] as const)
  assert.deepEqual(
    middles.map(([x, y]) => isBlack(x, y)),
    middles.map(([x, y]) => greyAt(x, y) === 0),
    'the bars of letters are where they were',
  )
})

test('however large or odd a logo is, its dots stay in their place; one in white prints nothing', async (t) => {
  const server = await start(t)
  await server.post('/tasks', fullTask())
  const picture = async () => {
    const [fields = []] = readZpl((await labelsOf(server, ['RO-4711'], 'zpl')).text)
    return fields.find(({ kind }) => kind === 'picture')
  }
  for (const [width, height] of [
    [1200, 900],
    [3, 900],
    [900, 3],
    [1, 1],
  ] as const) {
    await setLogo(server, makePng(width, height))
    const { left = 0, top = 0, ...size } = (await picture()) ?? assert.fail(`${width} × ${height} prints nothing`)
    assert.ok(left + size.width <= 24 + 240 && top + size.height <= 24 + 84, `${size.width} × ${size.height}`)
  }
  const white = Buffer.from(
    Array(40)
      .fill([0, ...Array(80 * 4).fill(255)])
      .flat(),
  )
  await setLogo(server, makePng(80, 40, { pixels: white }))
  assert.equal(await picture(), undefined)
})

test('as many labels as are allowed are one file', async (t) => {
  const server = await start(t)
  const all = Array.from({ length: mostLabels }, (_, at) => `MANY-${at}`)
  const tasks = all.map((awb) => fullTask({ awb }))
  assert.equal((await server.post('/tasks/bulkCreate', { tasks })).status, 200)
  const { bytes } = await labelsOf(server, all, 'pdf-a4')
  assert.equal(readPdf(bytes).length, mostLabels / 4)
  assert.equal(readZpl((await labelsOf(server, all, 'zpl')).text).length, mostLabels)
})

test('what cannot be printed is refused in words', async (t) => {
  const server = await start(t)
  await server.post('/tasks', aTask({ awb: 'A-1' }))
  const stranger = await server.another()
  const refusal = async (query: string) => {
    const { status, body } = await server.get(`/labels?${query}`)
    return [status, body.error.code, body.error.field, body.error.message]
  }
  assert.deepEqual(await refusal('awbs=A-1,NOWHERE'), [400, 'TASK_NOT_FOUND', 'awbs', 'There is no task NOWHERE'])
  const many = Array.from({ length: mostLabels + 1 }, (_, at) => at).join(',')
  assert.equal((await refusal(`awbs=${many}`))[1], 'TOO_MANY_ITEMS')
  for (const query of ['', 'awbs=', 'awbs=,', 'awbs=A-1&format=doc', 'awbs=A-1&language=xx'])
    assert.equal((await refusal(query))[1], 'VALIDATION_FAILED', query)
  const posted = await server.post('/labels', { awbs: Array(mostLabels + 1).fill('A-1') })
  assert.equal(posted.body.error.code, 'TOO_MANY_ITEMS')
  assert.equal((await server.post('/labels', { awbs: [] })).body.error.code, 'VALIDATION_FAILED')
  const foreign = await request(server.url, 'GET', '/api/v1/labels?awbs=A-1', { key: stranger.key })
  assert.deepEqual([foreign.status, foreign.body.error.code], [400, 'TASK_NOT_FOUND'])
  const { secret } = (await server.post('/keys', { name: 'Other', scopes: ['tasks:write'] })).body.key
  const token = await signIn(server, await makeDriver(server))
  const code = async (key: string) =>
    (await request(server.url, 'GET', '/api/v1/labels?awbs=A-1', { key })).body.error.code
  assert.equal(await code(secret), 'FORBIDDEN')
  assert.equal(await code(token), 'UNAUTHORIZED')
})

test('a shop and its courier print the same code, and both labels say who sends it', async (t) => {
  const { shop, courier, awb, delegate } = await aPair(t)
  await shop.put('/company', { name: 'Librăria Foișor' })
  await courier.put('/company', { name: 'Curierul Șoim' })
  await courier.post('/tasks', aTask({ awb }))
  await delegate()
  const theirs = (await courier.get('/tasks')).body.tasks.find(
    ({ partnerAwbs }: { partnerAwbs?: string[] }) => partnerAwbs,
  )
  assert.notEqual(theirs.awb, awb, 'the courier has a task of that number already')

  const ofShop = await labelsOf(shop, [awb], 'pdf-a6')
  const ofCourier = await labelsOf(courier, [theirs.awb], 'pdf-a6')
  const [shopText, courierText] = [ofShop, ofCourier].map(({ bytes }) => readPdf(bytes)[0]?.text ?? '')
  assert.match(shopText ?? '', /^Librăria Foișor\n[\s\S]*Expeditor: Librăria Foișor[\s\S]*Livrare prin Curierul Șoim/)
  assert.match(courierText ?? '', /^Curierul Șoim\n[\s\S]*Expeditor: Librăria Foișor/)
  for (const { bytes } of [ofShop, ofCourier]) assert.deepEqual(await scan(bytes), [bothOf(awb)])
  assert.ok((await taskOf(shop, awb)).partnerAwbs.includes(theirs.awb))
})
