/*
 * How any other SMS provider is called: a request that the operator describes in a file. Values are put in the way the
 * place needs it, so that no text of a customer can become another field.
 */

export interface GatewayTemplate {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  body: unknown
  /** What the body of a successful answer must match, for providers that answer 200 whatever happened. */
  accepted: RegExp | undefined
  timeoutMs: number
}

export interface GatewayValues {
  to: string
  text: string
  /** Empty if the organisation does not say. */
  from: string
  id: string
}

const defaultSeconds = 15
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a template, or says in a sentence what is wrong with it. */
export function readTemplate(text: string): GatewayTemplate | string {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return 'is not JSON'
  }
  if (!isRecord(given)) return 'must be an object'
  const { method = 'POST', url, headers = {}, body, accepted, timeoutSeconds = defaultSeconds } = given
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT') return 'has a method other than GET, POST and PUT'
  if (typeof url !== 'string' || !/^https?:\/\/[^{}/]+(\/|$|\?)/.test(url))
    return 'needs a url that begins with https://'
  if (!isRecord(headers) || !Object.values(headers).every((value) => typeof value === 'string'))
    return 'has headers that are not text'
  if (typeof timeoutSeconds !== 'number' || !(timeoutSeconds >= 1 && timeoutSeconds <= 60))
    return 'has a timeoutSeconds that is not from 1 to 60'
  const names = Object.entries(headers as Record<string, string>).map(([name, value]) => [name.toLowerCase(), value])
  const pattern = readPattern(accepted)
  if (pattern === 'wrong') return 'has an accepted that is not a regular expression'
  const places = JSON.stringify([url, body ?? ''])
  if (!/\{to(Digits)?\}/.test(places) || !places.includes('{text}'))
    return 'must use {to} or {toDigits}, and {text}, in its url or body'
  return {
    method,
    url,
    body,
    accepted: pattern,
    timeoutMs: timeoutSeconds * 1_000,
    headers: Object.fromEntries(names) as Record<string, string>,
  }
}

function readPattern(accepted: unknown): RegExp | undefined | 'wrong' {
  if (accepted === undefined) return undefined
  try {
    return typeof accepted === 'string' ? new RegExp(accepted) : 'wrong'
  } catch {
    return 'wrong'
  }
}

export interface GatewayRequest {
  method: GatewayTemplate['method']
  url: string
  headers: Record<string, string>
  body?: string
}

/** The request for one message. */
export function fillTemplate({ method, url, headers, body }: GatewayTemplate, values: GatewayValues): GatewayRequest {
  const all: Record<string, string> = { ...values, toDigits: values.to.replace(/\D/g, '') }
  const put = (text: string, write: (value: string) => string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(all, name) ? write(all[name] as string) : whole))
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return put(value, (plain) => plain)
    if (Array.isArray(value)) return value.map(deep)
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, deep(inner)]))
    return value
  }
  const type =
    headers['content-type'] ?? (typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json')
  const filled =
    typeof body === 'string' ? put(body, escapeFor(type)) : body === undefined ? undefined : JSON.stringify(deep(body))
  return {
    method,
    url: put(url, encodeURIComponent),
    headers: { ...headers, ...(filled !== undefined && { 'content-type': type }) },
    ...(filled !== undefined && { body: filled }),
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escapeFor(type: string): (value: string) => string {
  if (type.includes('form-urlencoded')) return encodeURIComponent
  if (type.includes('json')) return (value) => JSON.stringify(value).slice(1, -1)
  if (type.includes('xml')) return (value) => value.replace(/[&<>"']/g, (one) => entities[one] as string)
  return (value) => value
}
