import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEveryInterface, openable, reachOf, webAddress } from './web-address.ts'

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

test('a link says who can open it', () => {
  const cases: Record<string, string[]> = {
    machine: [
      'http://localhost:4000/x',
      'http://127.0.0.1:4000',
      'http://[::1]:4000/t/1',
      'http://app.localhost',
      'http://0.0.0.0',
    ],
    network: [
      'http://192.168.1.20:4000/driver#1',
      'http://10.0.0.5',
      'http://172.16.0.1',
      'http://172.31.255.1',
      'http://169.254.1.1',
      'http://[fd00::1]:4000',
      'http://[fe80::1]',
      'http://depozit:4000',
      'https://waybill.local',
      'https://waybill.lan/driver',
    ],
    everyone: [
      'https://waybill.example.org',
      'http://8.8.8.8',
      'http://172.32.0.1',
      'http://[2001:db8::1]',
      'https://localhost.example.org',
    ],
  }
  for (const [reach, links] of Object.entries(cases)) for (const link of links) assert.equal(reachOf(link), reach, link)
})
