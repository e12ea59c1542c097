import { type Answer, type Input, type Operation, type OperationName, operations } from '../contract/operations.ts'

type ErrorBody = { code?: string; message?: string; field?: string; requestId?: string }

/** The server said no, or something that is not an answer. */
export class WaybillError extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  readonly requestId: string | undefined

  constructor(status: number, error: ErrorBody = {}) {
    super(error.message ?? `The server answered ${status}`)
    this.status = status
    this.code = error.code ?? 'INTERNAL'
    this.field = error.field
    this.requestId = error.requestId
  }
}

/** Only the parts an operation has: `{ params }`, `{ query }`, `{ body }`. */
type Request<Name extends OperationName> = {
  [Part in keyof Input<Name> as Input<Name>[Part] extends undefined ? never : Part]: Input<Name>[Part]
}

type Arguments<Name extends OperationName> = keyof Request<Name> extends never ? [] : [request: Request<Name>]

export type Client = { [Name in OperationName]: (...given: Arguments<Name>) => Promise<Answer<Name>> }

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:4000`. */
  url: string
  key: string
}

interface AnyRequest {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** One method per operation, typed by the same table the server mounts. */
export function createClient({ url, key }: ClientOptions): Client {
  const call = async ({ method, path }: Operation, { params = {}, query = {}, body }: AnyRequest = {}) => {
    const target = new URL(
      path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name]))),
      url,
    )
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) target.searchParams.set(name, String(value))
    const response = await fetch(target, {
      method,
      headers: { authorization: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json().catch(() => ({}))) as { error?: ErrorBody }
    if (!response.ok) throw new WaybillError(response.status, answer.error)
    return answer
  }
  const methods = Object.entries<Operation>(operations).map(([name, operation]) => [
    name,
    (request?: AnyRequest) => call(operation, request),
  ])
  return Object.fromEntries(methods)
}
