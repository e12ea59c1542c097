import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'

test('what a library hangs on an error does not get into the log', () => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream
  const error = Object.assign(new Error('Connection terminated', { cause: new Error('reset') }), {
    code: 'ECONNRESET',
    client: { password: 'planted-secret' },
  })

  createLog('info', stream).warn({ err: error }, 'A connection broke')

  assert.doesNotMatch(lines.join(''), /planted-secret/)
  const { err } = JSON.parse(lines[0] as string)
  assert.deepEqual([err.message, err.code, err.cause.message], ['Connection terminated', 'ECONNRESET', 'reset'])
})
