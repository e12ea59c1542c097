import type { Answer, Input, OperationName, Operations } from '../contract/operations.ts'

type ErrorBody = Partial<ErrorDetail> & { requestId?: string; details?: ErrorDetail[] }
type ErrorDetail = { field: string; code: string; message: string; rule?: string; limit?: number }

/** The server said no, or something that is not an answer. */
export class WaybillError extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  /** What the field breaks, and the number of that rule, if it has one. */
  readonly rule: string | undefined
  readonly limit: number | undefined
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | undefined
  /** How long the server asked to wait, with 429 or 503. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, error: ErrorBody = {}, retryAfterSeconds?: number) {
    super(error.message ?? `The server answered ${status}`)
    this.status = status
    this.code = error.code ?? 'INTERNAL'
    this.field = error.field
    this.rule = error.rule
    this.limit = error.limit
    this.details = error.details ?? []
    this.requestId = error.requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Only the parts an operation has: `{ params }`, `{ query }`, `{ body }`; for uploads `{ bytes }`. Answers are read, so never a
 * table. A write that is sent again with the same `idempotencyKey` is done once.
 */
type Parts<Name extends OperationName> = {
  [Part in keyof Input<Name> as Input<Name>[Part] extends undefined ? never : Part]: Operations[Name] extends {
    csv: true
  }
    ? Omit<Input<Name>[Part], 'format'>
    : Input<Name>[Part]
} & (Operations[Name] extends { upload: unknown } ? { bytes: Blob | Uint8Array<ArrayBuffer> } : unknown) &
  (Operations[Name] extends { method: 'GET' } ? unknown : { idempotencyKey?: string })

/** A key may be left out, and a query in which nothing is required. */
type Spare<All> =
  | 'idempotencyKey'
  | (All extends { query: infer Query } ? (Partial<Query> extends Query ? 'query' : never) : never)
type Request<All> = Omit<All, Spare<All>> & { [Part in Spare<All> & keyof All]?: All[Part] }

type Arguments<Name extends OperationName> = keyof Parts<Name> extends never
  ? []
  : keyof Parts<Name> extends Spare<Parts<Name>>
    ? [request?: Request<Parts<Name>>]
    : [request: Request<Parts<Name>>]

type Result<Name extends OperationName> = Operations[Name] extends { download: unknown } ? Blob : Answer<Name>

/** Streams are read as server-sent events, and pages in a browser: neither ends in an answer of one call. */
type Unread = { streams: true } | { page: true }

export type Client = {
  [Name in OperationName as Operations[Name] extends Unread ? never : Name]: (
    ...given: Arguments<Name>
  ) => Promise<Result<Name>>
}

/** What a client needs to know about an operation; `contract/operations`, or a list made from it, has it. */
export type Endpoints = Record<OperationName, Endpoint>
interface Endpoint {
  method: string
  path: string
  download?: unknown
  streams?: true
  page?: true
}

/** Sends one request to a path, with its query, of the server. */
export type Send = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: string | Blob | Uint8Array<ArrayBuffer> },
) => Promise<Response>

interface AnyRequest {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  bytes?: Blob | Uint8Array<ArrayBuffer>
  idempotencyKey?: string
}

/** JSON, or bytes with the type they claim to have; the server finds out what they are. */
function sentWith({ body, bytes }: AnyRequest) {
  if (bytes) return { headers: { 'content-type': typeOf(bytes) }, body: bytes }
  return body === undefined
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

const typeOf = (bytes: Blob | Uint8Array) => ('type' in bytes && bytes.type) || 'application/octet-stream'

/** One method per operation that ends in an answer, typed by the same table the server mounts. */
export function clientFor(endpoints: Endpoints, send: Send): Client {
  const call = async ({ method, path, download }: Endpoint, request: AnyRequest = {}) => {
    const { params = {}, query = {}, idempotencyKey } = request
    const asked = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
    const target = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
    const { headers, ...sent } = sentWith(request)
    const response = await send(asked.size > 0 ? `${target}?${asked}` : target, {
      method,
      headers: idempotencyKey === undefined ? headers : { ...headers, 'idempotency-key': idempotencyKey },
      ...sent,
    })
    if (download && response.ok) return response.blob()
    const answer = (await response.json().catch(() => undefined)) as { error?: ErrorBody } | undefined
    if (!response.ok || !answer)
      throw new WaybillError(response.status, answer?.error, Number(response.headers.get('retry-after')) || undefined)
    return answer
  }
  const methods = Object.entries(endpoints)
    .filter(([, { streams, page }]) => !streams && !page)
    .map(([name, endpoint]) => [name, (request?: AnyRequest) => call(endpoint, request)])
  return Object.fromEntries(methods)
}
