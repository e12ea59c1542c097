import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startServer } from './main.ts'
import { makeDatabase } from './test/database.ts'
import { quiet } from './test/server.ts'

test('a worker that is the first to start leaves key and link to a process with pages', async (t) => {
  const { url, drop } = await makeDatabase()
  t.after(drop)
  const start = async (role: string) => {
    const config = readConfig({ ...quiet, DATABASE_URL: url, WAYBILL_ROLE: role })
    const server = await startServer(config, createLog('error', process.stderr))
    await server.stop()
    return [Boolean(server.firstKey), Boolean(server.firstLink)]
  }
  assert.deepEqual(await start('worker'), [false, false])
  assert.deepEqual(await start('api'), [true, true])
  assert.deepEqual(await start('api'), [false, false])
})
