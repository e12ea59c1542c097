import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Message, readMessages } from './sse.ts'

const streamOf = (pieces: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

const read = (...pieces: Uint8Array[]) => Array.fromAsync(readMessages(streamOf(pieces), () => {}))

const lines = [
  'retry: 2000',
  'id: 0',
  '',
  ': heartbeat',
  '',
  'id: 1',
  'event: TASK_START',
  'data: {"name":"Ștefan 😀"}',
  '',
  ': in the middle',
  'id:2',
  'data:  two',
  'data',
  'data: lines',
  '',
  'retry: 100',
  '',
  'data: unfinished',
]
const messages: Message[] = [
  { id: '0', event: 'message', data: '' },
  { id: '1', event: 'TASK_START', data: '{"name":"Ștefan 😀"}' },
  { id: '2', event: 'message', data: ' two\n\nlines' },
]

for (const [name, end] of Object.entries({ 'line feeds': '\n', 'Windows line ends': '\r\n', 'carriage returns': '\r' }))
  test(`events are read correctly wherever the network splits them, with ${name}`, async () => {
    const bytes = new TextEncoder().encode(`\uFEFF${lines.join(end)}`)
    for (let at = 0; at <= bytes.length; at += 1)
      assert.deepEqual(await read(bytes.subarray(0, at), bytes.subarray(at)), messages, `cut after ${at} bytes`)
    assert.deepEqual(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), messages, 'byte by byte')
  })
