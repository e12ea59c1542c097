import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEveryInterface, openable, webAddress } from './web-address.ts'

test('an address shown to people can be opened in a browser', () => {
  const cases: [host: string, shown: string][] = [
    ['0.0.0.0', 'http://127.0.0.1:4000'],
    ['::', 'http://[::1]:4000'],
    ['::1', 'http://[::1]:4000'],
    ['127.0.0.1', 'http://127.0.0.1:4000'],
    ['10.0.0.5', 'http://10.0.0.5:4000'],
    ['waybill.local', 'http://waybill.local:4000'],
  ]
  for (const [host, shown] of cases) assert.equal(webAddress(host, 4000), shown)
  for (const [host] of cases) assert.equal(isEveryInterface(host), ['0.0.0.0', '::'].includes(host))
  assert.equal(openable('https://0.0.0.0'), 'https://127.0.0.1')
  assert.equal(openable('http://[::]:80'), 'http://[::1]:80')
  assert.equal(openable('https://waybill.example.com'), 'https://waybill.example.com')
})
