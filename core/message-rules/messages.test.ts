import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsOf } from '../settings.ts'
import { InTransit } from '../task-status.ts'
import { languageCodes } from '../words/languages.ts'
import { serverTexts } from '../words/server.ts'
import { areMessagesOn, type Cause, causeNames, causes } from './causes.ts'
import { expiryOf, isNewWindow, isStillTrue, judgeMessage, retryAt, type Waiting } from './rules.ts'
import { measureSms, toGsm } from './sms.ts'
import { fillLink, fillText, sampleValues, tellsTime, type Values } from './texts.ts'
import { dayOf, quietUntil, sayIn } from './times.ts'

const bucharest = 'Europe/Bucharest'
const night = { from: '21:00', until: '08:00' }
const at = (time: string) => new Date(time)
const quiet = (time: string, hours = night) => quietUntil(at(time), hours, bucharest)?.toISOString()

test('every standard text fits into one SMS, and those of pickups speak of no delivery', () => {
  for (const language of languageCodes) {
    const { standardTexts, pickupTexts } = serverTexts[language]
    for (const texts of [standardTexts, pickupTexts])
      for (const cause of causeNames) {
        const values = {
          ...sampleValues,
          company: 'Curier Rapid',
          reason: sayIn(language)('sampleReason'),
          link: `https://curier.example/t/${'x'.repeat(22)}`,
        }
        const { subject, body } = texts[cause]
        assert.equal(measureSms(fillText(body, values, 'sms')).segments, 1, body)
        if (texts === pickupTexts) assert.doesNotMatch(`${subject} ${body}`, /livr|deliver/i)
      }
  }
})

test('a text tells a time only if it has a place for one that is known', () => {
  const { body } = serverTexts.en.standardTexts.onItsWay
  assert.ok(tellsTime(body, { eta: true, window: false }))
  assert.ok(!tellsTime(body, { eta: false, window: true }), 'it says “soon”')
  assert.ok(!tellsTime('On the way: {link}', { eta: true, window: true }))
  assert.ok(tellsTime(serverTexts.ro.standardTexts.windowChanged.body, { eta: false, window: true }))
})

test('no cause is on until an admin turns it on', () => {
  assert.equal(areMessagesOn(settingsOf({ settings: {} })), false)
  for (const cause of causeNames) assert.equal(areMessagesOn({ [causes[cause].setting]: true }), true)
})

test('quiet hours go over midnight and end in the morning', () => {
  assert.equal(quiet('2026-01-15T20:59+02:00'), undefined)
  assert.equal(quiet('2026-01-15T21:00+02:00'), '2026-01-16T06:00:00.000Z')
  assert.equal(quiet('2026-01-15T23:59+02:00'), '2026-01-16T06:00:00.000Z')
  assert.equal(quiet('2026-01-16T00:00+02:00'), '2026-01-16T06:00:00.000Z')
  assert.equal(quiet('2026-01-16T07:59+02:00'), '2026-01-16T06:00:00.000Z')
  assert.equal(quiet('2026-01-16T08:00+02:00'), undefined)
})

test('quiet hours within a day end the same day; equal times mean none', () => {
  const noon = { from: '12:00', until: '14:30' }
  assert.equal(quiet('2026-01-15T11:59+02:00', noon), undefined)
  assert.equal(quiet('2026-01-15T12:00+02:00', noon), '2026-01-15T12:30:00.000Z')
  assert.equal(quiet('2026-01-15T14:30+02:00', noon), undefined)
  for (const time of ['00:00', '12:00'])
    assert.equal(quiet('2026-01-15T12:00+02:00', { from: time, until: time }), undefined)
})

test('quiet hours end by the clock on the wall when summer time begins and ends', () => {
  // 29 March 2026: 03:00 becomes 04:00. 25 October: 04:00 becomes 03:00.
  assert.equal(quiet('2026-03-28T22:00+02:00'), '2026-03-29T05:00:00.000Z')
  assert.equal(quiet('2026-10-24T22:00+03:00'), '2026-10-25T06:00:00.000Z')
  // 03:30 does not exist in the first night, and comes twice in the second.
  const until = (time: string) => ({ from: '21:00', until: time })
  assert.equal(quiet('2026-03-28T22:00+02:00', until('03:30')), '2026-03-29T01:30:00.000Z')
  assert.equal(quiet('2026-10-24T22:00+03:00', until('03:30')), '2026-10-25T01:30:00.000Z')
})

test('quiet hours never end in the past, not even in the hour that comes twice', () => {
  const again = '2026-10-25T03:10+02:00'
  assert.equal(quiet(again, { from: '21:00', until: '03:30' }), '2026-10-25T01:30:00.000Z')
  assert.ok(at('2026-10-25T01:30:00.000Z') > at(again))
})

test('a day is that of the organisation', () => {
  assert.equal(dayOf(at('2026-01-15T22:30Z'), bucharest), '2026-01-16')
  assert.equal(dayOf(at('2026-01-15T22:30Z'), 'Etc/UTC'), '2026-01-15')
})

test('an SMS has 160 characters, or 153 in each part of a longer one', () => {
  const segments = (text: string) => measureSms(text).segments
  assert.deepEqual(measureSms(''), { encoding: 'GSM-7', characters: 0, segments: 0 })
  assert.deepEqual(measureSms('a'.repeat(160)), { encoding: 'GSM-7', characters: 160, segments: 1 })
  assert.deepEqual(measureSms('a'.repeat(161)), { encoding: 'GSM-7', characters: 161, segments: 2 })
  assert.deepEqual(
    [306, 307, 459, 460].map((length) => segments('a'.repeat(length))),
    [2, 3, 3, 4],
  )
  assert.equal(measureSms('@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\n').encoding, 'GSM-7')
})

test('some signs take two places in an SMS and are never cut in half', () => {
  for (const sign of '^{}\\[~]|€') assert.deepEqual(measureSms(sign), { encoding: 'GSM-7', characters: 2, segments: 1 })
  assert.equal(measureSms('€'.repeat(80)).segments, 1)
  assert.deepEqual(measureSms(`${'€'.repeat(80)}a`), { encoding: 'GSM-7', characters: 161, segments: 2 })
  // 152 and a sign of two: it moves to the next part, which makes three of what would fit into two.
  assert.equal(measureSms(`${'a'.repeat(153)}${'a'.repeat(153)}`).segments, 2)
  assert.equal(measureSms(`${'a'.repeat(152)}€${'a'.repeat(152)}`).segments, 3)
})

test('one letter outside the alphabet leaves 70 characters, or 67 in each part', () => {
  assert.deepEqual(measureSms('ă'.repeat(70)), { encoding: 'UCS-2', characters: 70, segments: 1 })
  assert.deepEqual(measureSms(`${'a'.repeat(70)}ă`), { encoding: 'UCS-2', characters: 71, segments: 2 })
  assert.deepEqual(
    [134, 135].map((length) => measureSms('ș'.repeat(length)).segments),
    [2, 3],
  )
  assert.deepEqual(measureSms('🚚'), { encoding: 'UCS-2', characters: 2, segments: 1 })
  // 66 and a picture of two: it moves to the next part.
  assert.equal(measureSms(`${'ă'.repeat(66)}🚚${'ă'.repeat(66)}`).segments, 3)
})

const values: Values = {
  company: 'Curier',
  customer: 'Ștefan Ionașcu',
  awb: 'A-1',
  driver: '',
  eta: '14:30',
  window: '',
  stops: '',
  reason: '',
  link: 'https://x.example/t/1',
}

test('names do not make an SMS longer, unless its text has such letters itself', () => {
  assert.equal(toGsm('Ștefan – „Ødegård”…'), 'Stefan - "Ødegård"...')
  assert.equal(fillText('Buna, {customer}!', values, 'sms'), 'Buna, Stefan Ionascu!')
  assert.equal(fillText('Bună, {customer}!', values, 'sms'), 'Bună, Ștefan Ionașcu!')
  assert.equal(fillText('Buna, {customer}!', values, 'email'), 'Buna, Ștefan Ionașcu!')
})

test('a missing value leaves no gap, and a link may have any signs', () => {
  assert.equal(fillText('{company}: {driver} comes {window}', values, 'sms'), 'Curier: comes')
  assert.equal(fillLink('See {link}', 'https://x.example/$&'), 'See https://x.example/$&')
})

const known = (window: string, state: string, before = 'A') => ({ state, facts: { window, known: before } })

test('a window that is moved and moved back is not told', () => {
  assert.deepEqual(isNewWindow([], 'A', 'B'), { known: 'A', isNews: true })
  // Nobody was told of B yet, so the customer still knows A.
  assert.deepEqual(isNewWindow([known('B', 'waiting')], 'B', 'A'), { known: 'A', isNews: false })
  assert.deepEqual(isNewWindow([known('B', 'dropped')], 'B', 'A'), { known: 'A', isNews: false })
  const task = { status_id: InTransit, driver_arrived: false, arrived_at: null, window: 'A' } as const
  assert.equal(isStillTrue('windowChanged', { window: 'B' }, task), false)
})

test('a window is told again if the customer was, or may have been, told another one', () => {
  for (const state of ['sent', 'sending', 'unknown'])
    assert.deepEqual(isNewWindow([known('B', state)], 'B', 'A'), { known: 'B', isNews: true })
  assert.equal(isNewWindow([known('B', 'sent'), known('C', 'waiting', 'B')], 'C', 'B').isNews, false)
  assert.equal(isNewWindow([known('B', 'waiting')], 'C', 'B').isNews, false)
  assert.equal(isNewWindow([known('B', 'waiting')], 'B', 'C').isNews, true)
})

const waiting: Waiting = {
  channel: 'sms',
  recipient: '+40730000001',
  expiresAt: at('2026-01-15T12:00+02:00'),
  isOptedOut: false,
  isAvailable: true,
  isByHand: false,
  isTurnedOn: true,
  isStillTrue: true,
}
const judge = (given: Partial<Waiting>, time = '2026-01-15T11:00+02:00') =>
  judgeMessage({ ...waiting, ...given }, at(time), night, bucharest)

test('old news is dropped, each cause after its own time', () => {
  const happened = at('2026-01-15T10:00Z')
  const minutes = (cause: Cause) => (expiryOf(cause, happened).getTime() - happened.getTime()) / 60_000
  assert.deepEqual(Object.fromEntries(causeNames.map((cause) => [cause, minutes(cause)])), {
    onItsWay: 60,
    nextStop: 30,
    arrived: 15,
    delivered: 720,
    failed: 720,
    windowChanged: 720,
  })
  assert.deepEqual(judge({}, '2026-01-15T12:00:00.000+02:00'), { kind: 'send' })
  assert.deepEqual(judge({}, '2026-01-15T12:00:00.001+02:00'), { kind: 'dropped', reason: 'tooOld' })
})

test('the link stands only where the text has it, whatever somebody is called', () => {
  const values: Values = {
    ...sampleValues,
    reason: '',
    company: 'Curier',
    customer: '{link} Ana',
    driver: '{company}',
    link: '{link}',
  }
  for (const channel of ['sms', 'email'] as const) {
    const waiting = fillText('{customer}, {driver} comes: {link}', values, channel)
    assert.equal(fillLink(waiting, 'https://w.example/t/1'), '(link) Ana, (company) comes: https://w.example/t/1')
  }
})

test('a message waits for the end of quiet hours only if it is still news then', () => {
  const late = '2026-01-15T22:00+02:00'
  const morning = at('2026-01-16T08:00+02:00')
  assert.deepEqual(judge({ expiresAt: morning }, late), { kind: 'later', at: morning })
  const before = new Date(morning.getTime() - 1)
  assert.deepEqual(judge({ expiresAt: before }, late), { kind: 'dropped', reason: 'tooOld' })
})

test('a person may send in quiet hours what is off or outdated, but never to somebody who wants no messages', () => {
  const late = '2026-01-15T22:00+02:00'
  const byHand = { isByHand: true, expiresAt: at('2026-01-15T23:00+02:00') }
  assert.deepEqual(judge({ ...byHand, isTurnedOn: false, isStillTrue: false }, late), { kind: 'send' })
  assert.deepEqual(judge({ ...byHand, isOptedOut: true }, late), { kind: 'skipped', reason: 'optedOut' })
})

test('what stands in the way of a message is told', () => {
  const reasonOf = (given: Partial<Waiting>) => {
    const verdict = judge(given)
    return 'reason' in verdict ? `${verdict.kind} ${verdict.reason}` : verdict.kind
  }
  assert.equal(reasonOf({}), 'send')
  assert.equal(reasonOf({ recipient: '' }), 'skipped noRecipient')
  assert.equal(reasonOf({ recipient: '12' }), 'skipped invalidPhone')
  assert.equal(reasonOf({ channel: 'email', recipient: 'ana@@example.org' }), 'skipped invalidEmail')
  assert.equal(reasonOf({ recipient: '+40213100001' }), 'skipped notMobile')
  assert.equal(reasonOf({ isOptedOut: true }), 'skipped optedOut')
  assert.equal(reasonOf({ isAvailable: false }), 'skipped noChannel')
  assert.equal(reasonOf({ isTurnedOn: false }), 'dropped turnedOff')
  assert.equal(reasonOf({ isStillTrue: false }), 'dropped outdated')
})

test('a refusal is tried again five times, never when it would be old news or is final', () => {
  const now = at('2026-01-15T10:00Z')
  const refused = { now, expiresAt: at('2026-01-16T10:00Z'), random: 0.5 }
  const seconds = (given: object) => {
    const time = retryAt({ ...refused, attempt: 1, ...given })
    return time && (time.getTime() - now.getTime()) / 1_000
  }
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((attempt) => seconds({ attempt })),
    [10, 60, 300, 900, 1_800, undefined],
  )
  assert.equal(seconds({ retryAfterSeconds: 90 }), 90)
  assert.equal(seconds({ isFinal: true }), undefined)
  assert.equal(seconds({ expiresAt: at('2026-01-15T10:00:09Z') }), undefined)
})
