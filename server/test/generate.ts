import fc from 'fast-check'
import { aSubscription } from './factories.ts'
import { makePng, photo, webp } from './pictures.ts'

/*
 * Requests made from the published OpenAPI document: those it allows, and those broken in one or several places. Nothing
 * here knows an operation by name, so new ones are covered automatically.
 */

const subscription = aSubscription()

export interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  description?: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

interface Described {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
}

export interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** What requests can refer to; it grows as the server creates more. */
export type Pools = Record<
  | 'task'
  | 'awb'
  | 'driver'
  | 'team'
  | 'hub'
  | 'webhook'
  | 'key'
  | 'person'
  | 'device'
  | 'deviceKey'
  | 'conflict'
  | 'form'
  | 'reason'
  | 'schedule'
  | 'template'
  | 'holiday'
  | 'file'
  | 'message'
  | 'proofLink'
  | 'partner'
  | 'uuid'
  | 'secret'
  | 'day'
  | 'cursor',
  (string | number)[]
>

export interface Generated {
  operation: string
  method: string
  /** Path and query. */
  path: string
  headers: Record<string, string>
  /** The bytes of the body; undefined means no body. */
  raw: string | Uint8Array<ArrayBuffer> | undefined
  isBroken: boolean
}

interface World {
  document: Document
  pools: Pools
  /** Where webhooks may go: no generated request leaves this machine. */
  urls: string[]
}

const poolNames: Record<string, keyof Pools> = {
  userId: 'driver',
  driverId: 'driver',
  drivers: 'driver',
  teamId: 'team',
  teams: 'team',
  hubId: 'hub',
  taskId: 'task',
  tasks: 'task',
  webhookId: 'webhook',
  keyId: 'key',
  personId: 'person',
  deviceId: 'device',
  conflictId: 'conflict',
  formId: 'form',
  reasonId: 'reason',
  scheduleId: 'schedule',
  templateId: 'template',
  holidayId: 'holiday',
  messageId: 'message',
  linkId: 'proofLink',
  companyId: 'partner',
  partnerId: 'partner',
}

const jsonOf = (text: string): unknown => JSON.parse(text)

/** Stands for a number that JSON can write, but no double can hold. */
const hugeMark = '@@1e999'
const writeJson = (value: unknown) => JSON.stringify(value).replaceAll(`"${hugeMark}"`, '1e999')

/** Valid text, however strange. */
const oddTexts = [
  '',
  ' ',
  '\t\n',
  'null',
  'true',
  '-0',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  "'; drop table tasks; --",
  '%s%n$1{0}$x',
  '\\',
  '"',
  'ÅÄÖ å\u0301\u0323',
  '\u202Eright to left\u202C',
  '\u2028\u2029',
  '👨‍👩‍👧‍👦🏳️‍🌈',
  '日本語 العربية',
  '\uFEFFbom',
  '\u007F\u0001',
  '1e5',
  '0x10',
]

const nested = (depth: number) => jsonOf('['.repeat(depth) + ']'.repeat(depth))

/** What no field expects. */
const junk: unknown[] = [
  ...oddTexts,
  null,
  true,
  false,
  0,
  -1,
  -0.5,
  1.5,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 53,
  2 ** 53 - 1,
  1e21,
  1e308,
  hugeMark,
  'NaN',
  '1e999',
  '9007199254740993',
  '99999999999999999999999',
  'a\0b',
  '\uD800',
  'half \uDFFF of a pair',
  'x'.repeat(10_001),
  `e${'\u0301'.repeat(3_000)}`,
  '2026-02-30 10:00:00',
  '2026-03-29 03:30:00',
  '9999-12-31 23:59:59',
  '0001-01-01 00:00:00',
  '24:00',
  [],
  {},
  [[]],
  [null],
  [{}],
  ['x', 1, null],
  { toString: 1, valueOf: 1 },
  { length: 3 },
  { id: 1 },
  jsonOf('{"__proto__": {"admin": true}, "constructor": {"prototype": 1}}'),
  nested(40),
  nested(1_000),
]

/** Bodies that are not even an object. */
const rawBodies = ['', '{', '[]', 'null', '5', '"text"', '{"a":1,}', "{'a':1}", '\uFEFF{}', '{}x', 'undefined', '\0']
const rawDeep = `{"tasks":${'['.repeat(50_000)}${']'.repeat(50_000)}}`

const contentTypes = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'json',
]

const rawSegments = ['%00', '%zz', '%', '%2F', '%2e%2e', '%ff', '%C0%AF', '..', '', ' ', "'", '-1', '0', '1.5', 'NaN']
const oddKeys = ['', ' ', 'é', 'x'.repeat(300), 'a']

/** Sometimes one, mostly the other: the weights add up to a hundred. */
const mostly = <A, B>(percent: number, usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ arbitrary: usual, weight: percent }, { arbitrary: other, weight: 100 - percent })

export function createGenerator({ document, pools, urls }: World) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), ...described })),
  )

  const fromPool = (name: keyof Pools, otherwise: fc.Arbitrary<string | number>) =>
    fc.tuple(fc.nat(), otherwise).map(([pick, fallback]) => {
      const known = pools[name]
      return known.length === 0 ? fallback : (known[pick % known.length] as string | number)
    })

  const unknownId = fc.integer({ min: 1_000_000_000, max: Number.MAX_SAFE_INTEGER })

  function idNamed(name: string): fc.Arbitrary<unknown> {
    const pool = poolNames[name]
    const id = pool ? mostly(90, fromPool(pool, unknownId), unknownId) : unknownId
    return mostly(85, id, id.map(String))
  }

  const newAwb = fc
    .string({ unit: 'grapheme-composite', minLength: 1, maxLength: 12 })
    .map((text) => text.replace(/[/\p{C}\p{Zl}\p{Zp}]/gu, '-'))
    .filter((text) => text !== '.' && text !== '..')
  const awb = mostly(60, fromPool('awb', newAwb), mostly(80, newAwb, fc.nat()))

  const two = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'))
  const clock = fc.tuple(two(23), two(59)).map(([hours, minutes]) => `${hours}:${minutes}`)
  const day = fc.tuple(fc.constantFrom('2026', '2027'), two(11), two(27)).map(([year, month, date]) => {
    const [fromOne, dateFromOne] = [Number(month) + 1, Number(date) + 1]
    return `${year}-${String(fromOne).padStart(2, '0')}-${String(dateFromOne).padStart(2, '0')}`
  })
  const time = fc
    .tuple(day, clock, fc.constantFrom(':00', ''), fc.constantFrom(' ', 'T'), fc.constantFrom('', 'Z', '+02:00'))
    .map(([date, minutes, seconds, between, zone]) => `${date}${zone ? 'T' : between}${minutes}${seconds}${zone}`)
  const phone = fc.integer({ min: 700_000_000, max: 799_999_999 }).map((digits) => `0${digits}`)
  const cursor = mostly(
    60,
    fromPool('cursor', fc.constant('MQ')),
    fc.jsonValue({ maxDepth: 1 }).map((place) => Buffer.from(JSON.stringify(place)).toString('base64url')),
  )
  const file = mostly(80, fromPool('file', fc.uuid()), fc.uuid())
  const furthest = Buffer.from(JSON.stringify([true, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]))

  /** Values that fit a field of that name, where the document only says text. */
  const words: Record<string, fc.Arbitrary<unknown>> = {
    awb,
    dependencies: mostly(95, fromPool('awb', newAwb), newAwb),
    url: fc.constantFrom(...urls),
    phone: mostly(90, phone, fc.constant('+44 20 7946 0000')),
    cursor: mostly(90, cursor, fc.constant(furthest.toString('base64url'))),
    address: fc.constantFrom('Strada Lipscani 12, București', '京都府 1-2', ' x ', ''),
    country: fc.constantFrom('RO', 'de', 'US'),
    timezone: fc.constantFrom('Europe/Bucharest', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'),
    currency: fc.constantFrom('RON', 'eur', 'JPY'),
    fileId: file,
    deviceKey: mostly(90, fromPool('deviceKey', fc.constant('unknown')), fc.constantFrom('unknown', 'a b')),
    uuid: mostly(90, fromPool('uuid', fc.constant('unknown')), fc.constant('unknown')),
    secret: mostly(90, fromPool('secret', fc.constant('unknown')), fc.constant('unknown')),
    awbs: mostly(90, fromPool('awb', newAwb), newAwb),
    to: phone,
    day: mostly(80, fromPool('day', day), fc.constantFrom('2025-12-24', '2026-02-28', '2040-02-29', '2026-02-30')),
    endpoint: fc.constantFrom('https://127.0.0.1:9/one', 'https://127.0.0.1:9/two'),
    p256dh: fc.constant(subscription.keys.p256dh),
    auth: fc.constant(subscription.keys.auth),
    avatar: mostly(
      50,
      file,
      file.map((id) => `/files/${id}`),
    ),
    logo: mostly(
      90,
      file.map((id) => `/files/${id}`),
      fc.constant(''),
    ),
    traffic: fc.constantFrom('best_guess', 'HEAVY', 'none', 'whatever', 'constructor', '__proto__'),
  }

  function text(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const named = Object.hasOwn(words, name) ? words[name] : undefined
    if (named) return named
    const { minLength = 0, maxLength = 40, pattern, description = '' } = schema
    if (name === 'tasks') return awb
    if (pattern) return matching(pattern)
    if (description.includes('YYYY-MM-DD'))
      return mostly(95, maxLength === 10 ? day : time, fc.constantFrom(...oddTexts))
    if (description.includes('HH:MM')) return mostly(90, clock, fc.constant('8:05'))
    const usual = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(20, maxLength) })
    const longest = fc.constantFrom('x', 'é', '😀').map((unit) => unit.repeat(Math.floor(maxLength / unit.length)))
    const odd = fc.constantFrom(...oddTexts.filter((one) => one.length >= minLength && one.length <= maxLength))
    return fc.oneof({ arbitrary: usual, weight: 80 }, { arbitrary: odd, weight: 18 }, { arbitrary: longest, weight: 2 })
  }

  function matching(pattern: string): fc.Arbitrary<string> {
    const expression = new RegExp(pattern, 'u')
    try {
      return fc.stringMatching(expression)
    } catch {
      return newAwb.filter((candidate) => expression.test(candidate))
    }
  }

  function integer({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Schema, name: string): fc.Arbitrary<unknown> {
    if (maximum === Number.MAX_SAFE_INTEGER) return idNamed(name)
    // The price of the task of this round, or nearly.
    if (name === 'amount') return mostly(50, fc.constantFrom(100, '100'), fc.integer({ min: -600, max: 600 }))
    const value = mostly(
      70,
      fc.integer({ min: minimum, max: Math.min(maximum, minimum + 600) }),
      fc.constantFrom(minimum, maximum),
    )
    return mostly(85, value, value.map(String))
  }

  /** What the schema allows, and what the document says is accepted too: numbers and booleans as text. */
  function allowed(schema: Schema, name: string): fc.Arbitrary<unknown> {
    if (schema.$ref) return allowed(resolve(schema.$ref), name)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return fc.oneof(...choices.map((one) => allowed(one, name)))
    if ('const' in schema) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const types = [schema.type ?? 'any'].flat()
    return fc.oneof(...types.map((type) => ofType(type, schema, name)))
  }

  function ofType(type: string, schema: Schema, name: string): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.constantFrom(true, false, 'true', 'false')
      case 'integer':
        return integer(schema, name)
      case 'number': {
        // Money: hardly any double has two decimals, and the fuzz wants tasks with prices.
        if (schema.maximum === 2 ** 31 - 1)
          return mostly(90, integer(schema, name), fc.constantFrom(89.5, '89.50', 0.01))
        const value = fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
        return mostly(85, value, value.map(String))
      }
      case 'string':
        return text(schema, name)
      case 'array': {
        const { items = {}, minItems = 0, maxItems = 5 } = schema
        return fc.array(allowed(items, name), {
          minLength: minItems,
          maxLength: Math.max(minItems, Math.min(3, maxItems)),
        })
      }
      case 'object':
        return object(schema)
      default:
        return fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
    }
  }

  /** Mostly with few of the optional fields: each is one more reason to be refused. */
  const object = (schema: Schema) => mostly(75, objectWith(schema, 10), objectWith(schema, 50))

  function objectWith({ properties = {}, required = [] }: Schema, optionalPercent: number): fc.Arbitrary<unknown> {
    const fields = Object.entries(properties).map(([name, property]) => {
      const value = allowed(property, name)
      return required.includes(name) ? value : mostly(optionalPercent, value, fc.constant(undefined))
    })
    return fc.tuple(...fields).map((values) => {
      const made: Record<string, unknown> = {}
      for (const [index, name] of Object.keys(properties).entries())
        if (values[index] !== undefined) made[name] = values[index]
      // Coordinates need both, which the document cannot express.
      if ('lat' in properties && 'lat' in made !== 'lng' in made) Object.assign(made, { lat: 44.43, lng: '26.1' })
      // Nor that an address without coordinates needs a text.
      if ('streetName' in properties && 'address' in properties && !('lat' in made))
        made['address'] ??= 'Strada Lipscani 12'
      return made
    })
  }

  const resolve = ($ref: string) => document.components.schemas[$ref.replace('#/components/schemas/', '')] as Schema

  const requests = operations.map((operation) => requestTo(operation))

  function requestTo({ path, method, operationId, parameters, requestBody }: (typeof operations)[number]) {
    const schema = requestBody?.content['application/json']?.schema
    const takesBytes = requestBody !== undefined && !schema
    const inPlace = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
    const values = (place: Parameter['in'], optionalPercent: number) =>
      fc.tuple(
        ...inPlace(place).map(({ name, schema, required }) => {
          const value = allowed(schema, name)
          return required ? value : mostly(optionalPercent, value, fc.constant(undefined))
        }),
      )
    const good = fc
      .record({
        path: values('path', 100),
        query: values('query', 25),
        idempotencyKey: mostly(5, fc.constantFrom('one', 'two', 'three'), fc.constant(undefined)),
        body: schema ? allowed(schema, '') : fc.constant(undefined),
        bytes: takesBytes ? fc.constantFrom(...pictures) : fc.constant(undefined),
      })
      .map((parts): Generated => {
        const query = inPlace('query').flatMap(({ name }, index) =>
          parts.query[index] === undefined ? [] : [`${name}=${encode(parts.query[index])}`],
        )
        const takesKey = inPlace('header').some(({ name }) => name === 'Idempotency-Key')
        return {
          operation: operationId,
          method,
          path: fill(path, parts.path.map(encode)) + (query.length > 0 ? `?${query.join('&')}` : ''),
          headers: {
            ...(takesKey && parts.idempotencyKey && { 'idempotency-key': parts.idempotencyKey }),
            ...(takesBytes && { 'content-type': 'application/octet-stream' }),
          },
          raw: parts.bytes ?? (parts.body === undefined ? undefined : writeJson(withinHouse(parts.body))),
          isBroken: false,
        }
      })
    return mostly(55, good, broken(good, path, inPlace('query')))
  }

  /** Takes a good request and breaks it at a random place. */
  function broken(good: fc.Arbitrary<Generated>, template: string, query: Parameter[]): fc.Arbitrary<Generated> {
    const choice = fc.record({
      request: good,
      where: fc.constantFrom('body', 'body', 'body', 'body', 'raw', 'type', 'path', 'query', 'key'),
      places: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...junk)), { minLength: 1, maxLength: 3 }),
      raw: mostly(97, fc.constantFrom(...rawBodies), fc.constant(rawDeep)),
      type: fc.constantFrom(...contentTypes),
      segment: fc.oneof(
        fc.constantFrom(...rawSegments),
        fc
          .constantFrom(...junk.filter((one) => typeof one === 'string' && one.isWellFormed() && one.length < 1_000))
          .map(encode),
        fc.constant('x'.repeat(1_200)),
      ),
      key: fc.constantFrom(...oddKeys),
    })
    return choice.map(({ request, where, places, raw, type, segment, key }): Generated => {
      const base = { ...request, isBroken: true }
      const isGet = request.method === 'GET'
      if (where === 'key' && !isGet) return { ...base, headers: { ...request.headers, 'idempotency-key': key } }
      if (where === 'type' && !isGet)
        return { ...base, raw: request.raw ?? 'x', headers: { ...request.headers, 'content-type': type } }
      if (where === 'raw' && !isGet) return { ...base, raw }
      if (where === 'body' && request.raw instanceof Uint8Array)
        return { ...base, raw: places.reduce(breakBytes, request.raw) }
      if (where === 'body' && typeof request.raw === 'string') {
        const root = { body: jsonOf(request.raw.replaceAll('1e999', `"${hugeMark}"`)) }
        for (const [place, kind, value] of places) breakPlace(root, place, kind, value)
        return { ...base, raw: writeJson(withinHouse(root.body)) }
      }
      if (where === 'query' || !template.includes('{')) {
        const name = query[(places[0]?.[0] ?? 0) % Math.max(1, query.length)]?.name ?? 'nothing'
        return { ...base, path: `${request.path}${request.path.includes('?') ? '&' : '?'}${name}=${segment}` }
      }
      const [, search = ''] = request.path.split('?')
      // Clients resolve dots before they send, so here they would ask for the console.
      const isAtTop = !template.startsWith('/api/')
      const inside = isAtTop && /^(\.|%2e)+$/i.test(segment) ? 'x' : segment
      return { ...base, path: fill(template, [inside, inside]) + (search && `?${search}`) }
    })
  }

  /** A webhook is really called when it is created, so an address that is not ours is replaced. */
  function withinHouse(value: unknown): unknown {
    const whole = { value }
    // Not by recursion: some values are nested deeper than the stack.
    const waiting: object[] = [whole]
    for (let holder = waiting.pop(); holder; holder = waiting.pop())
      for (const [key, inner] of Object.entries(holder)) {
        if (typeof inner === 'object' && inner !== null) waiting.push(inner)
        else if (typeof inner === 'string' && isOutside(inner) && key !== '__proto__')
          (holder as Record<string, unknown>)[key] = urls[0]
      }
    return whole.value
  }

  function isOutside(text: string): boolean {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '127.0.0.1'
  }

  const any = fc.oneof(...requests)
  return {
    operationIds: operations.map(({ operationId }) => operationId),
    /** Always the same request for the same seed and the same pools. */
    make: (seed: number) => fc.sample(any, { seed, numRuns: 1 })[0] as Generated,
  }
}

const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed())

function fill(template: string, segments: string[]): string {
  let next = 0
  return template.replace(/\{\w+\}/g, () => segments[next++] ?? '')
}

const pictures = [photo, webp, makePng(3, 5), makePng(2, 2, { alpha: 60 })]

/** Flips, cuts or adds some bytes somewhere. */
function breakBytes(bytes: Uint8Array<ArrayBuffer>, [place, kind]: [number, number, unknown]): Uint8Array<ArrayBuffer> {
  const at = bytes.length === 0 ? 0 : place % bytes.length
  if (kind % 3 === 0) return bytes.slice(0, at)
  if (kind % 3 === 1) return new Uint8Array([...bytes.slice(0, at), ...Buffer.from('<script>'), ...bytes.slice(at)])
  return bytes.map((byte, index) => (index === at ? byte ^ (1 << (kind % 8)) : byte))
}

/** Replaces, removes, wraps or adds one thing somewhere inside. */
function breakPlace(root: { body: unknown }, place: number, kind: number, value: unknown) {
  const places: [Record<string, unknown>, string][] = []
  const walk = (holder: Record<string, unknown>, depth: number) => {
    for (const key of Object.keys(holder)) {
      places.push([holder, key])
      const inner = holder[key]
      if (typeof inner === 'object' && inner !== null && depth < 8 && key !== '__proto__')
        walk(inner as Record<string, unknown>, depth + 1)
    }
  }
  walk(root as unknown as Record<string, unknown>, 0)
  const [holder, key] = places[place % places.length] as [Record<string, unknown>, string]
  const inner = holder[key]
  switch (kind % 6) {
    case 0:
      if (key !== 'body') delete holder[key]
      break
    case 1:
      holder[key] = [inner]
      break
    case 2:
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
        Object.assign(inner, { extra: value, [oddTexts[place % oddTexts.length] as string]: value })
      else holder[key] = { value: inner }
      break
    default:
      holder[key] = structuredClone(value)
  }
}
