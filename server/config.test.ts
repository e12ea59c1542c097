import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

test('nothing has to be set', () => {
  const config = readConfig({})
  assert.deepEqual([config.port, config.host, config.role, config.first.country], [4000, '127.0.0.1', 'all', 'RO'])
  assert.equal(config.databaseUrl, undefined)
})

test('a wrong value is told in one sentence that names the variable', () => {
  const cases: [name: string, value: string, says: RegExp][] = [
    ['PORT', 'http', /PORT must be a whole number from 0 to 65535/],
    ['PORT', '70000', /PORT must be/],
    ['DATABASE_URL', 'mysql://x', /DATABASE_URL must begin with postgres/],
    [
      'DATABASE_URL',
      'postgres://a,b/x?target_session_attrs=standby',
      /DATABASE_URL must have target_session_attrs any/,
    ],
    ['WAYBILL_ROLE', 'boss', /WAYBILL_ROLE must be one of all, api, worker/],
    ['WAYBILL_COUNTRY', 'Romania', /WAYBILL_COUNTRY must be a two-letter country code/],
    ['WAYBILL_TIMEZONE', 'Bucharest', /WAYBILL_TIMEZONE must be a time zone/],
    ['WAYBILL_CURRENCY', 'lei', /WAYBILL_CURRENCY must be a three-letter/],
    ['WAYBILL_API_KEY', 'short', /WAYBILL_API_KEY must be at least 16 characters/],
    ['WAYBILL_API_KEY', 'the first line and\nthe second', /WAYBILL_API_KEY must be .* without line breaks/],
    ['WAYBILL_WEBHOOK_ALLOW', '10.0.0.1/8, home', /"home" is not a network/],
    ['WAYBILL_WEBHOOK_ALLOW', '10/8', /"10\/8" is not a network/],
    ['WAYBILL_PUBLIC_URL', 'waybill.example', /WAYBILL_PUBLIC_URL must be an http or https URL/],
    ['WAYBILL_CONTACT', 'office', /WAYBILL_CONTACT must be an email address/],
    ['WAYBILL_SECURITY_CONTACT', 'the boss', /WAYBILL_SECURITY_CONTACT must be an email address/],
    ['WAYBILL_POSTGRES', 'bin', /WAYBILL_POSTGRES must be an absolute path/],
    ['WAYBILL_TRAVEL', 'google', /WAYBILL_TRAVEL must be one of roads, estimate, osrm, valhalla/],
    ['WAYBILL_TRAVEL', 'osrm', /WAYBILL_TRAVEL_URL must be set, because WAYBILL_TRAVEL is osrm/],
    ['WAYBILL_TRAVEL_URL', 'localhost:5000', /WAYBILL_TRAVEL_URL must be an http or https URL/],
    ['WAYBILL_GEOCODER', 'nominatim', /WAYBILL_GEOCODER_URL must be set, because WAYBILL_GEOCODER is nominatim/],
    ['WAYBILL_GEOCODER_URL', 'https://maps.example?key=1', /WAYBILL_GEOCODER_URL must be a base URL/],
    ['WAYBILL_GEOCODER_RATE', '0', /WAYBILL_GEOCODER_RATE must be a number from 0.01 to 1000/],
    [
      'WAYBILL_SMTP_URL',
      'mail.example.org',
      /WAYBILL_SMTP_URL must look like smtps:\/\/user:password@host or file:\/path$/,
    ],
    ['WAYBILL_SMTP_URL', 'smtp://', /WAYBILL_SMTP_URL must look like/],
    ['WAYBILL_SMTP_URL', 'smtps://me%40x.example:secret%@h', /WAYBILL_SMTP_URL must have %25 for each percent sign/],
    ['WAYBILL_SMTP_URL', 'file:mail.jsonl', /WAYBILL_SMTP_URL must look like/],
    [
      'WAYBILL_SMTP_URL',
      'smtps://office:secret@h',
      /WAYBILL_SMTP_FROM must be set, because the user of WAYBILL_SMTP_URL/,
    ],
    [
      'WAYBILL_SMTP_URL',
      'smtps://a%40b.example:secret@h?timeout=0',
      /WAYBILL_SMTP_URL must .*whole number from 1 to 60/,
    ],
    ['WAYBILL_SMS', 'twilio', /WAYBILL_SMS must look like twilio:\/\/SID:TOKEN@api.twilio.com\?from=/],
    ['WAYBILL_SMS', 'twilio://AC1:secret@api.twilio.com', /WAYBILL_SMS must look like/],
    ['WAYBILL_SMS', 'twilio://AC1@api.twilio.com?from=X', /WAYBILL_SMS must look like/],
    ['WAYBILL_SMS', 'twilio://AC1:secret%ZZ@api.twilio.com?from=X', /WAYBILL_SMS must have %25/],
    [
      'WAYBILL_SMS',
      'twilio://AC1:secret@api.twilio.com?from=X&timeout=soon',
      /WAYBILL_SMS must .*whole number from 1 to 60/,
    ],
    ['WAYBILL_SMS', 'gateway:/nowhere/sms.json', /WAYBILL_SMS names a file that cannot be read: \/nowhere\/sms.json$/],
    ['WAYBILL_SMS', `gateway:${import.meta.filename}`, /WAYBILL_SMS names the file .*config.test.ts, which /],
    ['WAYBILL_SMS', 'file:sms.jsonl', /WAYBILL_SMS must look like/],
    ['WAYBILL_METRICS', 'token:secret', /WAYBILL_METRICS must have a token of 16 to 200 characters/],
    ['WAYBILL_METRICS', '9464', /WAYBILL_METRICS must be an address with a port such as 127.0.0.1:9464, or token:/],
    ['WAYBILL_METRICS', '127.0.0.1:70000', /WAYBILL_METRICS must be an address with a port/],
    ['WAYBILL_METRICS', 'a secret without its prefix', /WAYBILL_METRICS must be an address with a port/],
    ['WAYBILL_TRUST_PROXY', 'maybe', /WAYBILL_TRUST_PROXY must be one of true, false/],
  ]
  for (const [name, value, says] of cases)
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) =>
        error instanceof ConfigError &&
        says.test(error.message) &&
        !error.message.includes('\n') &&
        !error.message.includes('secret'),
      `${name}=${value}`,
    )
})

test('who sends messages is read from one address', () => {
  const { email } = readConfig({ WAYBILL_SMTP_URL: 'smtps://me%40x.example:p%3Aw@mail.example' }).messages
  const login = { user: 'me@x.example', password: 'p:w', from: 'me@x.example' }
  assert.deepEqual(email, {
    kind: 'smtp',
    host: 'mail.example',
    port: 465,
    secure: true,
    timeoutMs: 15_000,
    ...login,
  })
  const { sms } = readConfig({ WAYBILL_SMS: 'twilio://AC1:t@api.twilio.com?from=+40311000000&timeout=30' }).messages
  assert.deepEqual(sms, {
    kind: 'twilio',
    url: 'https://api.twilio.com',
    accountSid: 'AC1',
    authToken: 't',
    from: '+40311000000',
    timeoutMs: 30_000,
  })
  assert.deepEqual(readConfig({}).messages, { sms: undefined, email: undefined })
})

test('a receiver on this machine is fine only while nobody else can reach the server', () => {
  assert.equal(readConfig({}).webhooks.loopback, true)
  assert.equal(readConfig({ HOST: '::1' }).webhooks.loopback, true)
  assert.equal(readConfig({ HOST: '0.0.0.0' }).webhooks.loopback, false)
  assert.equal(readConfig({ WAYBILL_PUBLIC_URL: 'https://waybill.example' }).webhooks.loopback, false)
  assert.equal(readConfig({ WAYBILL_WEBHOOK_ALLOW: 'none' }).webhooks.loopback, false)
})

test('push services get an address of the operator, or the public one of the server', () => {
  const WAYBILL_PUBLIC_URL = 'https://waybill.example'
  assert.equal(readConfig({ WAYBILL_PUBLIC_URL }).pushContact, WAYBILL_PUBLIC_URL)
  const both = { WAYBILL_PUBLIC_URL, WAYBILL_CONTACT: 'office@waybill.example' }
  assert.equal(readConfig(both).pushContact, 'mailto:office@waybill.example')
  assert.equal(readConfig({ WAYBILL_PUBLIC_URL: 'http://waybill.lan' }).pushContact, 'mailto:nobody@waybill.invalid')
})

test('an engine is where its address says, one for every profile if it says so', () => {
  const travel = (url: string) => readConfig({ WAYBILL_TRAVEL: 'osrm', WAYBILL_TRAVEL_URL: url }).travel.url
  assert.equal(travel('http://127.0.0.1:5000/'), 'http://127.0.0.1:5000')
  assert.equal(travel('http://osrm-{profile}:5000'), 'http://osrm-{profile}:5000')
})

test('metrics are open to everybody only while no public address is set', () => {
  const metrics = (environment: Record<string, string>) => readConfig(environment).metrics
  const WAYBILL_PUBLIC_URL = 'https://waybill.example'
  assert.deepEqual(metrics({}), { kind: 'open' })
  assert.deepEqual(metrics({ WAYBILL_PUBLIC_URL }), { kind: 'closed' })
  const address = { kind: 'address', host: '::1', port: 9464 }
  assert.deepEqual(metrics({ WAYBILL_PUBLIC_URL, WAYBILL_METRICS: '[::1]:9464' }), address)
  assert.deepEqual(metrics({ WAYBILL_METRICS: 'token:0123456789abcdef' }), { kind: 'token', token: '0123456789abcdef' })
})
