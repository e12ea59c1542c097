import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examples } from '../../../contract/examples.ts'
import { mostJson } from '../../../contract/limits.ts'
import { type Operation, type OperationName, operations } from '../../../contract/operations.ts'
import { reader } from '../../../contract/read/reader.ts'
import type { Node as Schema } from '../../../contract/read/refusal.ts'
import { asOne } from '../../../contract/read/union.ts'
import { TaskInput } from '../../../contract/task.ts'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver } from '../factories.ts'
import { startServer } from '../server.ts'

/*
 * Every field that accepts JSON of any shape is sent bombs: JSON that is small when sent, and grows when read. The fields
 * are found in the table of operations, so new ones are covered automatically.
 */

interface Node {
  anyOf?: Node[]
  properties?: Record<string, Node>
  items?: Node
  type?: unknown
  'x-any'?: true
  'x-most'?: number
  'x-each'?: true
}

interface Spot {
  operation: OperationName
  steps: (string | 0)[]
  /** The path of the field inside its item, if it is in a list whose items are accepted or refused one by one. */
  inItem: (string | 0)[] | undefined
}

function spotsIn(given: Node, spot: Spot): Spot[] {
  const node: Node = asOne(given as Schema)
  const alternative = node.anyOf?.find(({ type }) => type !== 'null')
  if (alternative) return spotsIn(alternative, spot)
  const inside = (inner: Node, step: string | 0) =>
    spotsIn(inner, {
      ...spot,
      steps: [...spot.steps, step],
      inItem: node['x-each'] ? [] : spot.inItem && [...spot.inItem, step],
    })
  const inner = Object.entries(node.properties ?? {}).flatMap(([name, property]) => inside(property, name))
  const items = node.items ? inside(node.items, 0) : []
  return [...(node['x-any'] || node['x-most'] ? [spot] : []), ...inner, ...items]
}

const spots = Object.entries<Operation>(operations).flatMap(([name, { body }]) =>
  body ? spotsIn(body as Node, { operation: name as OperationName, steps: [], inItem: undefined }) : [],
)

const list = (count: number, item: string) => `[${Array(count).fill(item).join(',')}]`

/** As they are sent: some much larger than a field may print, some a little. */
const bombs = {
  'numbers that print in fifty times what was sent': list(100_000, '1e300'),
  'a few of those': list(250, '1e300'),
  'numbers close to nothing': list(250, '5e-300'),
  'a long text': `"${'x'.repeat(300_000)}"`,
  'a text that is a little too long': `"${'é'.repeat(mostJson / 2)}"`,
  'a text that must be escaped': `"${'\\u0001'.repeat(mostJson / 6 + 1)}"`,
  'empty lists': list(100_000, '[]'),
  'a long name': `{"${'x'.repeat(mostJson)}":1}`,
  'many names': `{${Array.from({ length: 20_000 }, (_, index) => `"${index}":0`).join(',')}}`,
  'a deep well': '['.repeat(50_000) + ']'.repeat(50_000),
}

function put(target: unknown, [step, ...rest]: Spot['steps'], value: unknown): unknown {
  if (step === undefined) return value
  const holder = (target ?? (step === 0 ? [] : {})) as Record<string | 0, unknown>
  holder[step] = put(holder[step], rest, value)
  return holder
}

test('every field that takes any JSON refuses what would grow, by its name, and stores nothing of it', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const { code } = (await server.post(`/drivers/${driver.id}/invite`)).body
  const { token, osmandUrl } = (await server.post('/driver/login', { phone: driver.phone, code })).body
  assert.ok(spots.length >= 10, `${spots.length} fields were found`)
  for (const { operation, steps, inItem } of spots) {
    const { method, path, access }: Operation = operations[operation]
    assert.ok(access !== 'anybody', `${operation} takes any JSON from anybody: tell this test how to call it`)
    const authorization = access === 'driver' ? token : server.key
    const known = path.replace(':driverId', String(driver.id)).replace(':deviceKey', osmandUrl.split('/').at(-1))
    const target = known.replace(/:\w+/g, '1')
    for (const [name, text] of Object.entries(bombs)) {
      const raw = JSON.stringify(put(structuredClone(examples[operation]), steps, '@')).replace('"@"', () => text)
      const headers = { 'content-type': 'application/json', authorization }
      const reply = await fetch(`${server.url}${target}`, { method, headers, body: raw })
      const body = (await reply.json()) as { error: { code: string; field: string }; results: (typeof body)[] }
      const error = inItem ? body.results[0]?.error : body.error
      const says = `${operation} ${steps.join('.')} with ${name}: ${reply.status} ${JSON.stringify(body).slice(0, 300)}`
      assert.deepEqual([reply.status, error?.code], [inItem ? 200 : 400, 'VALIDATION_FAILED'], says)
      assert.ok((inItem ?? steps).join('.').startsWith(error?.field ?? '?'), says)
    }
  }
  for (const { inventory, customFields } of (await server.get('/tasks')).body.tasks)
    assert.deepEqual([inventory, customFields], [null, []], 'only what stood beside a bomb was stored')
  assert.equal((await server.get('/company')).body.company.settings.customizeColumnDefines, null)
})

test('the largest JSON that is taken prints in 64 kB, in whatever shape, and comes back as it was', async (t) => {
  const server = await startServer(t)
  const read = reader(TaskInput)
  const largest = (of: (count: number) => unknown) => {
    let [taken, refused] = [0, mostJson + 1]
    while (refused - taken > 1) {
      const middle = Math.floor((taken + refused) / 2)
      try {
        read(aTask({ inventory: of(middle) }))
        taken = middle
      } catch {
        refused = middle
      }
    }
    return of(taken)
  }
  const many = (value: unknown) => (count: number) => Array(count).fill(value)
  const shapes: Record<string, (count: number) => unknown> = {
    numbers: many(1e300),
    'small numbers': many(-1.5e-300),
    digits: many(1),
    text: (count) => 'é'.repeat(count),
    escapes: (count) => '\u0001"\n'.repeat(count),
    objects: many({}),
    fields: many({ a: true, b: null }),
  }
  for (const [awb, of] of Object.entries(shapes)) {
    const inventory = largest(of)
    assert.deepEqual((await server.post('/tasks', aTask({ awb, inventory }))).body.task.inventory, inventory, awb)
  }
  const printed = await server.database.everyone.many<{ awb: string; bytes: number }>(sql`
    select awb, octet_length(inventory::text)::int as bytes from tasks where organisation_id = ${server.organisationId}`)
  assert.equal(printed.length, Object.keys(shapes).length)
  for (const { awb, bytes } of printed) assert.ok(bytes <= mostJson && bytes > mostJson * 0.7, `${awb}: ${bytes}`)
})
