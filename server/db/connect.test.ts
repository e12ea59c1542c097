import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { connectTo } from './connect.ts'
import { openDatabase } from './db.ts'
import { isUnavailable } from './faults.ts'
import { listHosts } from './hosts.ts'
import { sql } from './sql.ts'

test('a url may name several hosts, in both notations of PostgreSQL', () => {
  const cases: [url: string, hosts: string[]][] = [
    [
      'postgres://me:p%40ss@a:1,b:2/waybill?x=1',
      ['postgres://me:p%40ss@a:1/waybill?x=1', 'postgres://me:p%40ss@b:2/waybill?x=1'],
    ],
    ['postgres://a,b', ['postgres://a', 'postgres://b']],
    [
      'postgres://me@localhost/waybill?host=/tmp/a,/tmp/b&port=1,2',
      [
        'postgres://me@localhost/waybill?host=%2Ftmp%2Fa&port=1',
        'postgres://me@localhost/waybill?host=%2Ftmp%2Fb&port=2',
      ],
    ],
    ['postgres://me@/waybill?host=/tmp/a', ['postgres://me@/waybill?host=/tmp/a']],
    ['postgres://me:a,b@one/waybill', ['postgres://me:a,b@one/waybill']],
  ]
  for (const [url, hosts] of cases) assert.deepEqual(listHosts(url), hosts)
})

/** A message of PostgreSQL: its type, its length, its content. */
function message(type: string, content: Buffer) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

test('a database that dies the moment a connection is open fails what is asked, and not the server', async (t) => {
  const welcome = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]
  const farewell = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'))
  const dying = createServer((socket) =>
    // In one piece, as they arrive on a busy machine.
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([...welcome, farewell]))),
  )
  await once(dying.listen(0, '127.0.0.1'), 'listening')
  t.after(() => dying.close())
  const url = `postgres://waybill@127.0.0.1:${(dying.address() as AddressInfo).port}/waybill?sslmode=disable`

  const database = openDatabase({ url, connections: 1, onIdleError: () => {} })
  t.after(database.close)
  await assert.rejects(database.everyone.many(sql`select 1`), isUnavailable)
  await assert.rejects((await connectTo(url, {})).query('select 1'), isUnavailable)
})
