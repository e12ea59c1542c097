import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startServer } from './server.ts'

const run = promisify(execFile)

test("the day's work in docs/api.md can be pasted into a shell", async (t) => {
  const server = await startServer(t)
  const text = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')
  const chapter = text.slice(text.indexOf("## A day's work"), text.indexOf('## How input is read'))
  const commands = [...chapter.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')
  const script = commands.replace(/^export .*$/gm, '')

  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, WAYBILL_URL: server.url, WAYBILL_API_KEY: server.key },
  })
  const answers = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  assert.ok(answers.length >= 9)
  assert.deepEqual(
    answers.filter(({ success }) => !success),
    [],
  )
  assert.deepEqual(
    answers.at(-1).tasks.map((task: { awb: string; statusId: number }) => [task.awb, task.statusId]),
    [['A-1', 9]],
  )
})
