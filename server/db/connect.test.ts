import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listHosts } from './connect.ts'

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
