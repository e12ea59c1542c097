import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type WhyNone, whyNoMessages } from './why-none.ts'

test('an empty log says which of four things is the reason', () => {
  const cases: [isFiltered: boolean, channels: string[], isOn: boolean, why: WhyNone][] = [
    [true, [], false, 'notFound'],
    [true, ['sms'], true, 'notFound'],
    [false, [], false, 'noChannel'],
    [false, [], true, 'noChannel'],
    [false, ['sms'], false, 'nothingOn'],
    [false, ['email'], true, 'nothingYet'],
  ]
  for (const [isFiltered, channels, isOn, why] of cases)
    assert.equal(whyNoMessages({ isFiltered, channels, settings: { messageArrived: isOn } }), why)
})
