import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { aTask, beginDuty, makeDriver, signIn } from './factories.ts'
import { request, startServer } from './server.ts'
import { until } from './until.ts'

const folder = mkdtempSync(join(tmpdir(), 'waybill-messages-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const files = { sms: join(folder, 'sms.jsonl'), email: join(folder, 'email.jsonl') }
/** The provider is a file. */
export const toFiles = { WAYBILL_SMS: `file:${files.sms}`, WAYBILL_SMTP_URL: `file:${files.email}` }

/** Messages go out at any time of the day. */
export const neverQuiet = { messageQuietFrom: '00:00', messageQuietUntil: '00:00' }

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
export type Wire = any

/** An organisation that sends messages, its driver on duty, and what its customers got. */
export async function anOffice(t: TestContext, settings: object, environment: Record<string, string> = toFiles) {
  const server = await startServer(t, environment)
  const driver = await makeDriver(server, { name: 'Andrei Popa' })
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  const company = `Office ${server.organisationId}`
  const set = (given: object) => server.put('/company', { settings: given })
  await server.put('/company', { name: company })
  await set({ ...neverQuiet, ...settings })
  let phones = 0
  const list = async (query = ''): Promise<Wire[]> => (await server.get(`/messages${query}`)).body.messages
  return {
    server,
    driver,
    key,
    set,
    list,
    async create(given: object = {}): Promise<Wire> {
      const customer = { name: 'Ștefan', phone: `07300${String(++phones).padStart(5, '0')}` }
      return (await server.post('/tasks', aTask({ userId: driver.id, customer, ...given }))).body['task']
    },
    /** What the driver does with a task. */
    async act(verb: string, task: Wire, body: object = {}) {
      const reply = await request(server.url, 'POST', `/api/v1/driver/tasks/${task.id}/${verb}`, { key, body })
      assert.equal(reply.status, 200, reply.text)
    },
    look: async (task: Wire): Promise<Wire> => (await server.get(`/tasks/${task.id}`)).body.task,
    /** That many messages, all of which have ended, newest first. */
    ended: (count: number): Promise<Wire[]> =>
      until(`${count} messages to end`, async () => {
        const all = await list()
        return all.length >= count && all.every(({ endedAt }) => endedAt) && all
      }),
    /** What arrived at the provider from this organisation. */
    async received(channel: 'sms' | 'email' = 'sms'): Promise<Wire[]> {
      const text = await readFile(files[channel], 'utf8').catch(() => '')
      const lines = text.split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(line)).filter((one) => one.company === company)
    },
  }
}
export type Office = Awaited<ReturnType<typeof anOffice>>
