import { readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { firstOrganisation } from '../core/first-organisation.ts'
import { readTemplate } from '../core/message-rules/gateway.ts'
import { isCurrency } from '../core/money.ts'
import { isCountry } from '../core/phone.ts'
import { isTimeZone } from '../core/time.ts'

/** An invalid environment variable, explained in one sentence. */
export class ConfigError extends Error {}

interface Variable<Value> {
  default: string
  meaning: string
  read: (text: string) => Value
}

const variable = <Value>(fallback: string, meaning: string, read: (text: string) => Value): Variable<Value> => ({
  default: fallback,
  meaning,
  read,
})

const asText = (text: string) => text

const oneOf =
  <Choice extends string>(...choices: Choice[]) =>
  (text: string): Choice => {
    const choice = choices.find((one) => one === text)
    if (!choice) throw new ConfigError(`must be one of ${choices.join(', ')}`)
    return choice
  }

const wholeBetween = (least: number, most: number) => (text: string) => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new ConfigError(`must be a whole number from ${least} to ${most}`)
  return number
}

const asBoolean = (text: string) => oneOf('true', 'false')(text) === 'true'

function asCountry(text: string) {
  if (!isCountry(text)) throw new ConfigError('must be a two-letter country code such as RO')
  return text as string
}

function asTimeZone(text: string) {
  if (!isTimeZone(text)) throw new ConfigError('must be a time zone such as Europe/Bucharest')
  return text
}

function asCurrency(text: string) {
  if (!isCurrency(text)) throw new ConfigError('must be a three-letter currency code such as RON')
  return text
}

/** Any text that fits into a header. */
function asFirstKey(text: string) {
  if (text && !/^[^\p{Cc}]{16,4000}$/u.test(text))
    throw new ConfigError('must be at least 16 characters (up to 4000) without line breaks, or not set')
  return text || undefined
}

function asName(text: string) {
  if (text.trim() === '' || text.length > 120) throw new ConfigError('must be 1 to 120 characters')
  return text
}

function asEmail(text: string) {
  if ((text && !/^[^\s@<>?#]+@[^\s@<>?#]+\.[^\s@<>?#]+$/.test(text)) || text.length > 254)
    throw new ConfigError('must be an email address')
  return text || undefined
}

function asWebAddress(text: string) {
  if (text === '') return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new ConfigError('must be an http or https URL')
  return url.href.replace(/\/$/, '')
}

/** The URL of an engine. One URL can stand for several: `{profile}` is filled in for each request. */
function asEngineUrl(text: string) {
  const url = asWebAddress(text.replace('{profile}', 'profile'))
  if (url && /[?#@]/.test(url)) throw new ConfigError('must be a base URL without ?, # or a password')
  return url && text.replace(/\/+$/, '')
}

function asFolder(text: string) {
  if (text && !isAbsolute(text)) throw new ConfigError('must be an absolute path')
  return text || undefined
}

function asSecurityContact(text: string) {
  if (/^https:\/\//.test(text)) return asWebAddress(text)
  const email = asEmail(text)
  return email && `mailto:${email}`
}

const asMapStyle = (text: string) => (text === 'none' ? undefined : asWebAddress(text))

function asOrigins(text: string): string[] {
  const addresses = text.split(',').map((address) => address.trim())
  return addresses.filter(Boolean).map((address) => new URL(asWebAddress(address) as string).origin)
}

function asRate(text: string) {
  if (text === '') return undefined
  const rate = Number(text)
  if (!(rate >= 0.01 && rate <= 1_000)) throw new ConfigError('must be a number from 0.01 to 1000')
  return rate
}

function asSecret(text: string) {
  if (text && !/^[\x21-\x7e]{1,200}$/.test(text)) throw new ConfigError('must be up to 200 characters without spaces')
  return text || undefined
}

/** Who reads the metrics: whoever reaches that address, or has that token. Never shown in an error: it may be a secret. */
function asMetrics(text: string) {
  if (text === '') return undefined
  if (text.startsWith('token:')) {
    const token = text.slice('token:'.length)
    if (!/^[\x21-\x7e]{16,200}$/.test(token))
      throw new ConfigError('must have a token of 16 to 200 characters without spaces')
    return { kind: 'token' as const, token }
  }
  const [, inBrackets, plain, port] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? []
  const host = inBrackets ?? plain
  if (host === undefined || Number(port) > 65_535)
    throw new ConfigError('must be an address with a port such as 127.0.0.1:9464, or token:… for a token')
  return { kind: 'address' as const, host, port: Number(port) }
}

/** `s3://bucket/prefix`: the prefix comes before every key. */
function asFileStore(text: string) {
  if (text === '') return undefined
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? []
  if (!bucket || /(^|\/)\.{0,2}\/|(^|\/)\.{1,2}$/.test(prefix))
    throw new ConfigError('must look like s3://bucket/prefix')
  return { bucket, prefix: prefix && `${prefix.replace(/\/$/, '')}/` }
}

function asRegion(text: string) {
  if (!/^[\w-]{1,64}$/.test(text)) throw new ConfigError('must be a region such as eu-central-1')
  return text
}

/** They may be longer than other secrets. */
function asSessionToken(text: string) {
  if (text && !/^[\x21-\x7e]{1,4000}$/.test(text)) throw new ConfigError('must be text without spaces')
  return text || undefined
}

function asDatabaseUrl(text: string) {
  if (text && !/^postgres(ql)?:\/\//.test(text)) throw new ConfigError('must begin with postgres://')
  const [, wanted = 'any'] = /[?&]target_session_attrs=([^&]*)/.exec(text) ?? []
  if (!['any', 'read-write', 'primary'].includes(wanted))
    throw new ConfigError('must have target_session_attrs any, read-write or primary: Waybill writes')
  return text || undefined
}

const asFile = (text: string) =>
  text.startsWith('file:/') ? { kind: 'file' as const, path: text.slice(5) } : undefined

const defaultTimeoutSeconds = 15
function timeoutOf({ searchParams }: URL) {
  const seconds = searchParams.get('timeout') ?? defaultTimeoutSeconds
  return wholeBetween(1, 60)(String(seconds)) * 1_000
}

/** A part of an address as it was meant. Passwords often have a percent sign. */
function unescaped(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigError('must have %25 for each percent sign in its user and password')
  }
}

/** Who sends SMS: Twilio, a provider described by a file, or nobody but a file, for trying out. Never shown in an error. */
function asSms(text: string) {
  if (text === '') return undefined
  if (text.startsWith('gateway:/')) return { kind: 'gateway' as const, template: readGateway(text.slice(8)) }
  const url = text.startsWith('twilio://') ? URL.parse(text) : null
  // A plus sign in a query means a space.
  const from = url?.searchParams.get('from')?.replace(/^ /, '+')
  if (url?.host && url.username && url.password && from) {
    const [accountSid, authToken] = [unescaped(url.username), unescaped(url.password)]
    return {
      kind: 'twilio' as const,
      url: `https://${url.host}`,
      accountSid,
      authToken,
      from,
      timeoutMs: timeoutOf(url),
    }
  }
  const file = asFile(text)
  if (file) return file
  throw new ConfigError('must look like twilio://SID:TOKEN@api.twilio.com?from=+40…, gateway:/path or file:/path')
}

function readGateway(path: string) {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError(`names a file that cannot be read: ${path}`)
  }
  const template = readTemplate(text)
  if (typeof template === 'string') throw new ConfigError(`names the file ${path}, which ${template}`)
  return template
}

/** `smtps://user:password@host` for TLS from the beginning, `smtp://` otherwise. Never shown in an error. */
function asSmtp(text: string) {
  if (text === '') return undefined
  const url = /^smtps?:\/\//.test(text) ? URL.parse(text) : null
  const file = asFile(text)
  if (file) return file
  if (!url?.hostname) throw new ConfigError('must look like smtps://user:password@host or file:/path')
  const secure = url.protocol === 'smtps:'
  return {
    kind: 'smtp' as const,
    host: url.hostname,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    user: unescaped(url.username) || undefined,
    password: unescaped(url.password) || undefined,
    timeoutMs: timeoutOf(url),
  }
}

/** `none` removes every exception, including the one for loopback. */
function asNetworks(text: string): 'none' | string[] {
  if (text === 'none') return 'none'
  const networks = text.split(',').map((network) => network.trim())
  const given = networks.filter(Boolean)
  // ipaddr.js reads 10/8 as 0.0.0.10/8, which is never meant.
  for (const network of given)
    if (!ipaddr.isValidCIDR(network) || !/[.:].*[.:]/.test(network))
      throw new ConfigError(`must be networks such as 10.0.0.0/8; "${network}" is not a network`)
  return given
}

function asPath(text: string) {
  if (text && !isAbsolute(text)) throw new ConfigError('must be an absolute path')
  return text || undefined
}

/** A file is named in full, so that it does not depend on where the server was started. */
function asAccessLog(text: string) {
  if (text && text !== '-' && !isAbsolute(text)) throw new ConfigError('must be an absolute path, or - for the output')
  return text || undefined
}

/** Every environment variable. `docs/configuration.md` shows this table, and a test keeps the two in sync. */
export const variables = {
  PORT: variable('4000', 'Port to listen on', wholeBetween(0, 65_535)),
  HOST: variable('127.0.0.1', 'Address to listen on; 0.0.0.0 for all interfaces', asText),
  DATABASE_URL: variable('', 'PostgreSQL (15 or newer) to use instead of the embedded one', asDatabaseUrl),
  WAYBILL_POSTGRES: variable(
    '',
    'Folder with the programs of another PostgreSQL 18 for the embedded database, such as /usr/lib/postgresql/18/bin',
    asFolder,
  ),
  WAYBILL_DATA: variable('.waybill', 'Data folder: embedded database and files', asText),
  WAYBILL_ROLE: variable('all', 'What this process runs: `all`, `api` or `worker`', oneOf('all', 'api', 'worker')),
  WAYBILL_PUBLIC_URL: variable('', 'Public URL of this server, for links and sessions', asWebAddress),
  WAYBILL_CONTACT: variable(
    '',
    'Email address at which the push services of browsers can reach you; by default they get the public URL',
    asEmail,
  ),
  WAYBILL_SECURITY_CONTACT: variable(
    '',
    'Email address or URL for people who found a security hole; shown in /.well-known/security.txt',
    asSecurityContact,
  ),
  WAYBILL_TRUST_PROXY: variable('false', '`true` if a proxy in front sets X-Forwarded-For', asBoolean),
  WAYBILL_GATHER_CREATES: variable(
    'true',
    '`false` to write every new task, and what every phone sends, on its own, even under load',
    asBoolean,
  ),
  WAYBILL_ORGANISATION: variable(firstOrganisation.name, 'Name of the first organisation', asName),
  WAYBILL_COUNTRY: variable(firstOrganisation.country, 'Country of the first organisation', asCountry),
  WAYBILL_TIMEZONE: variable(firstOrganisation.timezone, 'Time zone of the first organisation', asTimeZone),
  WAYBILL_CURRENCY: variable(firstOrganisation.currency, 'Currency of the first organisation', asCurrency),
  WAYBILL_API_KEY: variable(
    '',
    'The first API key, for scripts; by default one is generated and shown once',
    asFirstKey,
  ),
  WAYBILL_WEBHOOK_ALLOW: variable(
    '',
    'Private networks (CIDR, comma-separated) that webhooks may reach; `none` also blocks loopback',
    asNetworks,
  ),
  WAYBILL_WEBHOOK_VERIFY: variable(
    'reachable',
    'Check of a new webhook URL: `reachable`, `echo` or `off`',
    oneOf('reachable', 'echo', 'off'),
  ),
  WAYBILL_WEBHOOK_LOG_DAYS: variable('30', 'Days to keep webhook delivery attempts', wholeBetween(1, 3_650)),
  WAYBILL_TRACKING_HOURS: variable(
    '24',
    'Hours that the tracking page of a task stays open after its end',
    wholeBetween(1, 8_760),
  ),
  WAYBILL_LOCATION_DAYS: variable('30', 'Days to keep the tracks of drivers', wholeBetween(1, 3_650)),
  WAYBILL_AUDIT_DAYS: variable(
    '365',
    'Days to keep the [audit log](audit-log.md), at least; it is deleted by whole months',
    wholeBetween(30, 36_500),
  ),
  WAYBILL_TASK_DAYS: variable(
    '0',
    'Days to keep ended tasks and their events; 0 keeps them forever',
    wholeBetween(0, 36_500),
  ),
  WAYBILL_FILES: variable(
    '',
    'Where pictures, and for several processes the files of an imported map, are stored: `s3://bucket/prefix`, or by default the data folder',
    asFileStore,
  ),
  AWS_ACCESS_KEY_ID: variable('', 'Key id for that bucket', asSecret),
  AWS_SECRET_ACCESS_KEY: variable('', 'Secret key for that bucket', asSecret),
  AWS_SESSION_TOKEN: variable('', 'Session token for that bucket, if the keys are temporary', asSessionToken),
  AWS_REGION: variable('us-east-1', 'Region of that bucket', asRegion),
  AWS_ENDPOINT_URL: variable('', 'URL of the S3-compatible store; by default Amazon S3', asEngineUrl),
  WAYBILL_TRAVEL: variable(
    'roads',
    'Where travel times come from: `roads` (of the imported map, elsewhere the estimate), `osrm` or `valhalla` (for what the imported map does not have), or `estimate` alone',
    oneOf('roads', 'estimate', 'osrm', 'valhalla'),
  ),
  WAYBILL_TRAVEL_URL: variable('', 'URL of that engine, such as http://127.0.0.1:5000', asEngineUrl),
  WAYBILL_ROAD_SPEEDS: variable(
    '',
    'JSON file with speeds on roads instead of ours, read by `waybill map import` ([travel times](travel-times.md#speeds))',
    asPath,
  ),
  WAYBILL_GEOCODER: variable(
    'embedded',
    'How addresses get coordinates: `embedded` (cities only), `nominatim`, `photon`, `google` or `off`',
    oneOf('embedded', 'nominatim', 'photon', 'google', 'off'),
  ),
  WAYBILL_GEOCODER_URL: variable('', 'URL of that geocoder; not needed for Google', asEngineUrl),
  WAYBILL_GEOCODER_RATE: variable(
    '',
    'Requests per second to that geocoder; by default 1, or 20 for Google. Public servers allow 1 or less',
    asRate,
  ),
  WAYBILL_GOOGLE_KEY: variable('', 'Google key for organisations without their own', asSecret),
  WAYBILL_MAP_STYLE: variable(
    'https://tiles.openfreemap.org/styles/liberty',
    'Map style (MapLibre), or `none` for one without streets that needs no network; not used where a map was imported. Customers get it only if you set it: until then their map asks only this server',
    asMapStyle,
  ),
  WAYBILL_MAP_HOSTS: variable(
    '',
    'Other hosts the style loads from, comma-separated; its own is always allowed',
    asOrigins,
  ),
  WAYBILL_SMTP_URL: variable(
    '',
    'Mail server for emails to customers: `smtps://user:password@host` or `smtp://…` ([messages](messages.md))',
    asSmtp,
  ),
  WAYBILL_SMTP_FROM: variable('', 'Address these emails come from; by default the user of the mail server', asEmail),
  WAYBILL_SMS: variable(
    '',
    'Who sends SMS to customers: `twilio://SID:TOKEN@api.twilio.com?from=…`, `gateway:/path` or `file:/path` ([messages](messages.md))',
    asSms,
  ),
  WAYBILL_RECEIPTS: variable(
    '',
    'File to which receipts of erasures are appended ([privacy](privacy.md)); by default `receipts.jsonl` in the data folder',
    asPath,
  ),
  WAYBILL_RATE_LIMIT: variable('0', 'Requests per second per organisation; 0 for no limit', wholeBetween(0, 1_000_000)),
  WAYBILL_METRICS: variable(
    '',
    'Who can read /metrics: `127.0.0.1:9464` gives it an address of its own, `token:…` asks for that token (16 characters or more). By default everybody, or nobody if WAYBILL_PUBLIC_URL is set',
    asMetrics,
  ),
  WAYBILL_ACCESS_LOG: variable(
    '',
    'Where a line for every request goes: a file, or `-` for the standard output ([access log](audit-log.md#the-access-log)); by default nowhere',
    asAccessLog,
  ),
  WAYBILL_LOG: variable(
    'info',
    'Log level: `debug`, `info`, `warn`, `error` or `silent`',
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
  ),
} as const satisfies Record<string, Variable<unknown>>

type Values = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['read']> }

export type Config = ReturnType<typeof readConfig>

/** Reads the environment, or throws an error about the first invalid value. */
const mapFrom = (style: string | undefined, hosts: readonly string[]) => ({
  style,
  hosts: style ? [style, ...hosts].map((url) => new URL(url).origin) : [],
})

export function readConfig(environment: Record<string, string | undefined>) {
  const value = Object.fromEntries(
    Object.entries(variables).map(([name, { default: fallback, read }]) => {
      try {
        return [name, read(environment[name]?.trim() || fallback)]
      } catch (error) {
        if (error instanceof ConfigError) throw new ConfigError(`${name} ${error.message}`)
        throw error
      }
    }),
  ) as Values
  requireUrl('WAYBILL_TRAVEL', value.WAYBILL_TRAVEL, ['osrm', 'valhalla'], value.WAYBILL_TRAVEL_URL)
  // A public server is never the default: the operator must choose one knowingly and follow its rules.
  requireUrl('WAYBILL_GEOCODER', value.WAYBILL_GEOCODER, ['nominatim', 'photon'], value.WAYBILL_GEOCODER_URL)
  if (value.WAYBILL_FILES)
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const)
      if (!value[name]) throw new ConfigError(`${name} must be set, because WAYBILL_FILES is a bucket`)
  const dataFolder = isAbsolute(value.WAYBILL_DATA) ? value.WAYBILL_DATA : resolve(checkout, value.WAYBILL_DATA)
  return {
    port: value.PORT,
    host: value.HOST,
    databaseUrl: value.DATABASE_URL,
    postgresPrograms: value.WAYBILL_POSTGRES,
    dataFolder,
    receipts: value.WAYBILL_RECEIPTS ?? join(dataFolder, 'receipts.jsonl'),
    role: value.WAYBILL_ROLE,
    publicUrl: value.WAYBILL_PUBLIC_URL,
    pushContact: pushContact(value.WAYBILL_CONTACT, value.WAYBILL_PUBLIC_URL),
    securityContact: value.WAYBILL_SECURITY_CONTACT,
    trustProxy: value.WAYBILL_TRUST_PROXY,
    gatherCreates: value.WAYBILL_GATHER_CREATES,
    first: {
      organisation: value.WAYBILL_ORGANISATION,
      country: value.WAYBILL_COUNTRY,
      timezone: value.WAYBILL_TIMEZONE,
      currency: value.WAYBILL_CURRENCY,
      key: value.WAYBILL_API_KEY,
    },
    webhooks: {
      allow: value.WAYBILL_WEBHOOK_ALLOW === 'none' ? [] : value.WAYBILL_WEBHOOK_ALLOW,
      /** A receiver on this machine is fine while only this machine can create webhooks: the first try on a laptop. */
      loopback: value.WAYBILL_WEBHOOK_ALLOW !== 'none' && isLoopback(value.HOST) && !value.WAYBILL_PUBLIC_URL,
      verify: value.WAYBILL_WEBHOOK_VERIFY,
      logDays: value.WAYBILL_WEBHOOK_LOG_DAYS,
    },
    taskDays: value.WAYBILL_TASK_DAYS,
    trackingHours: value.WAYBILL_TRACKING_HOURS,
    auditDays: value.WAYBILL_AUDIT_DAYS,
    locationDays: value.WAYBILL_LOCATION_DAYS,
    /** The bucket for files; undefined for the folder. */
    s3: value.WAYBILL_FILES && {
      ...value.WAYBILL_FILES,
      region: value.AWS_REGION,
      endpoint: value.AWS_ENDPOINT_URL,
      accessKeyId: value.AWS_ACCESS_KEY_ID as string,
      secretAccessKey: value.AWS_SECRET_ACCESS_KEY as string,
      sessionToken: value.AWS_SESSION_TOKEN,
    },
    /** Read by an import of a map, so that a mistake in it stops no server. */
    roadSpeeds: value.WAYBILL_ROAD_SPEEDS,
    travel: { engine: value.WAYBILL_TRAVEL, url: value.WAYBILL_TRAVEL_URL ?? '' },
    geocoding: {
      geocoder: value.WAYBILL_GEOCODER,
      url: value.WAYBILL_GEOCODER_URL,
      perSecond: value.WAYBILL_GEOCODER_RATE,
      googleKey: value.WAYBILL_GOOGLE_KEY,
    },
    map: {
      ...mapFrom(value.WAYBILL_MAP_STYLE, value.WAYBILL_MAP_HOSTS),
      /** A customer has not agreed to be seen by anybody else: only what the operator has chosen is asked. */
      ofCustomers: environment['WAYBILL_MAP_STYLE']?.trim()
        ? mapFrom(value.WAYBILL_MAP_STYLE, value.WAYBILL_MAP_HOSTS)
        : mapFrom(undefined, []),
    },
    messages: { sms: value.WAYBILL_SMS, email: withFrom(value.WAYBILL_SMTP_URL, value.WAYBILL_SMTP_FROM) },
    rateLimit: value.WAYBILL_RATE_LIMIT,
    /** By where we listen, never by who seems to call: behind a proxy everybody seems to be on this machine. */
    metrics: value.WAYBILL_METRICS ?? { kind: value.WAYBILL_PUBLIC_URL ? ('closed' as const) : ('open' as const) },
    log: value.WAYBILL_LOG,
    accessLog: value.WAYBILL_ACCESS_LOG,
  }
}

function requireUrl(name: string, choice: string, needUrl: string[], url: string | undefined) {
  if (needUrl.includes(choice) && !url) throw new ConfigError(`${name}_URL must be set, because ${name} is ${choice}`)
}

function withFrom(smtp: Values['WAYBILL_SMTP_URL'], from: string | undefined) {
  if (smtp?.kind !== 'smtp') return smtp
  const address = from ?? (smtp.user?.includes('@') ? smtp.user : undefined)
  if (!address)
    throw new ConfigError('WAYBILL_SMTP_FROM must be set, because the user of WAYBILL_SMTP_URL is not an email address')
  return { ...smtp, from: address }
}

/** The form is required; Apple also wants an address that can exist. */
function pushContact(email: string | undefined, publicUrl: string | undefined) {
  if (email) return `mailto:${email}`
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:nobody@waybill.invalid'
}

const isLoopback = (host: string) =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')

const checkout = resolve(import.meta.dirname, '..')

export const version: string = JSON.parse(readFileSync(resolve(checkout, 'package.json'), 'utf8')).version
