import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { thriftyFlags } from '../bin/thrift.js'

/** Fills the heap, lets go of it, and goes on with a little work, as a server with a few clients does, or without a pause. */
const rush = (isBusy: boolean) => `
  import { giveSpareMemoryBack } from ${JSON.stringify(join(import.meta.dirname, 'spare-memory.ts'))}
  giveSpareMemoryBack()
  const megabytes = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
  let kept = Array.from({ length: 3_000_000 }, (_, index) => ({ index, text: 'text ' + index }))
  const most = megabytes()
  kept = undefined
  const deadline = Date.now() + 30_000
  const timer = setInterval(() => {
    const until = performance.now() + ${isBusy ? 15 : 0}
    do for (let index = 0; index < 2_000; index += 1) JSON.parse('{"a":[1,2,3]}')
    while (performance.now() < until)
    if (megabytes() > most - 150 && Date.now() < deadline) return
    console.log(JSON.stringify({ most, then: megabytes() }))
    clearInterval(timer)
  }, 20)
`

for (const [clients, isBusy] of [
  ['a few clients go on asking', false],
  ['many do', true],
] as const)
  test(`what a rush took is given back while ${clients}`, async () => {
    const node = [...thriftyFlags, '--input-type=module', '-e', rush(isBusy)]
    const { stdout } = await promisify(execFile)(process.execPath, node)
    const { most, then } = JSON.parse(stdout)
    assert.ok(then <= most - 150, `${most} MB, then ${then} MB`)
  })
