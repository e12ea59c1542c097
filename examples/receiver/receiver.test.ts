import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { aTask } from '../../server/test/factories.ts'
import { startServer } from '../../server/test/server.ts'

const root = join(import.meta.dirname, '../..')
const secret = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`

/** The example as an integrator starts it. */
async function start(t: TestContext, environment: Record<string, string>) {
  const { WEBHOOK_SECRET: _, HOST: __, ...clean } = process.env
  const child = spawn('node', ['bin/launch.js', 'examples/receiver/receiver.ts'], {
    cwd: root,
    env: { ...clean, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  t.after(stop)
  const lines: string[] = []
  const output = createInterface(child.stdout).on('line', (line) => lines.push(line))

  async function waitForLine(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = AbortSignal.timeout(60_000)
    for (;;) {
      const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null)
      if (found) return found
      await once(output, 'line', { signal: deadline }).catch(() => {
        throw new Error(`The receiver never printed ${pattern}. It printed:\n${lines.join('\n')}`)
      })
    }
  }
  const [, url = ''] = await waitForLine(/^Listening at (http:\S+\/)/)
  return { url, lines, waitForLine, stop }
}

const body = JSON.stringify({ triggerName: 'TASK_CREATED', awb: 'A-1', sequence: 1, time: '2026-03-02T10:00:00.000Z' })

interface Message {
  id?: string
  by?: string
  signed?: string
  sent?: string
}

function send(url: string, { id = 'msg_1', by = secret, signed = body, sent = signed }: Message = {}) {
  const now = new Date()
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, now, signed),
  }
  return fetch(url, { method: 'POST', headers, body: sent })
}

test('the example is registered, told its secret, and prints a task that is created', async (t) => {
  const server = await startServer(t, { WAYBILL_WEBHOOK_VERIFY: 'echo' })
  const first = await start(t, {})
  const { webHook } = (await server.post('/webHooks', { url: first.url, trigger: 4 })).body
  assert.equal(webHook.verification, 'echo')
  assert.equal((await send(first.url)).status, 503)
  await first.stop()

  const { port } = new URL(first.url)
  const receiver = await start(t, { PORT: port, WEBHOOK_SECRET: webHook.secret })
  await server.post('/tasks', aTask({ awb: 'EXAMPLE-1' }))
  await receiver.waitForLine(/^\S+Z TASK_CREATED EXAMPLE-1 \(number 1 of this task\)$/)
})

test('the example refuses what is not signed, or signed by somebody else, and prints nothing of it', async (t) => {
  const { url, lines } = await start(t, { WEBHOOK_SECRET: secret })
  const unsigned = await fetch(url, { method: 'POST', body })
  assert.deepEqual([unsigned.status, await unsigned.text()], [401, 'The header webhook-id is missing'])

  const stranger = `whsec_${Buffer.from('the secret of somebody else').toString('base64')}`
  for (const forged of [{ by: stranger }, { sent: body.replace('A-1', 'A-2') }]) {
    const reply = await send(url, forged)
    assert.equal(reply.status, 401)
    assert.match(await reply.text(), /^No signature matches/)
  }
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 405)
  assert.equal(lines.length, 1)
})

test('the example handles a message once, however often it comes', async (t) => {
  const { url, lines, waitForLine } = await start(t, { WEBHOOK_SECRET: secret })
  for (const id of ['msg_1', 'msg_1', 'msg_2', 'msg_1', 'msg_2']) assert.equal((await send(url, { id })).status, 204)
  await send(url, { id: 'msg_3', signed: body.replace('A-1', 'LAST') })
  await waitForLine(/LAST/)
  assert.equal(lines.filter((line) => line.includes(' A-1 ')).length, 2)
})
