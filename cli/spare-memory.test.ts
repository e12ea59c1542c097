import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { thriftyFlags } from '../bin/thrift.js'

/** Fills the heap, lets go of it, and goes on with a little work, as a server with a few clients does. */
const rush = `
  import { giveSpareMemoryBack } from ${JSON.stringify(join(import.meta.dirname, 'spare-memory.ts'))}
  giveSpareMemoryBack()
  const megabytes = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
  let kept = Array.from({ length: 3_000_000 }, (_, index) => ({ index, text: 'text ' + index }))
  const most = megabytes()
  kept = undefined
  const deadline = Date.now() + 30_000
  const timer = setInterval(() => {
    for (let index = 0; index < 2_000; index += 1) JSON.parse('{"a":[1,2,3]}')
    if (megabytes() > most - 150 && Date.now() < deadline) return
    console.log(JSON.stringify({ most, then: megabytes() }))
    clearInterval(timer)
  }, 20)
`

test('what a rush took is given back while clients go on asking', async () => {
  const node = [...thriftyFlags, '--input-type=module', '-e', rush]
  const { stdout } = await promisify(execFile)(process.execPath, node)
  const { most, then } = JSON.parse(stdout)
  assert.ok(then <= most - 150, `${most} MB, then ${then} MB`)
})
