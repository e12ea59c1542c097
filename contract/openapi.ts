import type { TObject } from 'typebox'
import { type ErrorCode, errors, fieldRules } from './errors.ts'
import { examples } from './examples.ts'
import { type Operation, type OperationName, operations, takesIdempotencyKey } from './operations.ts'

type Json = Record<string, unknown>

/** Errors that every operation can return. */
const shared: ErrorCode[] = ['UNAUTHORIZED', 'KEY_EXPIRED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL', 'OVERLOADED']
/** A body is parsed on every write, even if the operation ignores it. */
const sharedByWrites: ErrorCode[] = [
  'INVALID_JSON',
  'VALIDATION_FAILED',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]
const sharedByUploads: ErrorCode[] = [
  'VALIDATION_FAILED',
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'DISK_FULL',
]
/** Errors that only a browser with a session can get. */
const sharedBySessions: ErrorCode[] = ['CROSS_SITE']
const sharedWithKey: ErrorCode[] = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH']

/** The OpenAPI 3.1 document of the operations table. Schemas with a title are shared as components. */
export function openApiDocument(version: string, serverUrl: string): Json {
  const schemas: Record<string, Json> = { Error: errorSchema }
  const paths: Record<string, Json> = {}
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][operation.method.toLowerCase()] = describeOperation(name, operation, schemas)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Waybill', version, description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl }],
    security: [{ key: [] }, { session: [] }],
    tags: [...new Set(Object.values<Operation>(operations).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The key is the whole value.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'waybill',
          description: 'Set by signing in; named `__Host-waybill` over HTTPS. If a key is sent too, the key is used.',
        },
      },
    },
  }
}

function describeOperation(name: string, operation: Operation, schemas: Record<string, Json>): Json {
  const { summary, tag, params, query, body, upload, missing, refuses } = operation
  const share = (schema: unknown) => asComponent(schema as Json, schemas)
  const isRepeatable = takesIdempotencyKey(operation)
  const codes = new Set([
    ...refuses,
    // A path that cannot be read leads nowhere.
    ...(missing ? [missing] : params ? (['NOT_FOUND'] as const) : []),
    // Numbers and words in a query can be wrong, whatever else is refused.
    ...(query ? (['VALIDATION_FAILED'] as const) : []),
    ...(operation.method === 'GET' ? [] : upload ? sharedByUploads : sharedByWrites),
    ...(isRepeatable ? sharedWithKey : []),
    ...(operation.method !== 'GET' && operation.access !== 'driver' && operation.access !== 'device'
      ? sharedBySessions
      : []),
    ...shared,
  ])
  return {
    operationId: name,
    summary,
    description: describeAccess(operation),
    tags: [tag],
    ...securityOf(operation),
    parameters: [
      ...parameters('path', params, share),
      ...parameters('query', query, share),
      ...(isRepeatable ? [idempotencyKey] : []),
    ],
    ...(body && { requestBody: requestBodyOf(name, body, share) }),
    ...(upload && { requestBody: { required: true, content: bytesOf(upload.types) } }),
    responses: { ...successOf(operation, share), ...refusals([...codes]) },
  }
}

/** In OpenAPI 3.1, a body without a schema is bytes. */
const bytesOf = (types: readonly string[]) => Object.fromEntries(types.map((type) => [type, {}]))

function successOf({ streams, download, csv, page, reply }: Operation, share: (schema: unknown) => Json): Json {
  if (streams) {
    const content = { 'text/event-stream': { schema: { type: 'string' } } }
    return { 200: { description: 'A stream of events that does not end', content } }
  }
  if (download) {
    const content = bytesOf(download)
    return { 200: { description: 'The bytes', content }, 304: { description: 'Not changed since If-None-Match' } }
  }
  if (page) return { 200: { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } } }
  const content = {
    'application/json': { schema: share(reply) },
    ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
  }
  return {
    200: { description: 'Done', content },
    ...(csv && { 304: { description: 'A table that has not changed since If-None-Match' } }),
  }
}

const requestBodyOf = (name: string, body: TObject, share: (schema: unknown) => Json) => ({
  required: (body.required as string[] | undefined)?.length !== undefined,
  content: { 'application/json': { schema: share(body), example: examples[name as OperationName] } },
})

function securityOf({ access }: Operation): { security?: Json[] } {
  if (access === undefined || access === 'member') return {}
  return {
    security: access === 'anybody' || access === 'device' ? [] : [access === 'driver' ? { key: [] } : { session: [] }],
  }
}

function describeAccess({ scope, access }: Operation): string {
  if (access === 'driver') return 'For drivers, with a device token.'
  if (access === 'device') return 'For tracking apps, with the key of a device in the path.'
  if (access === 'member') return 'For keys, people and drivers who may see what it belongs to.'
  if (access === 'person') return 'For signed-in people, with their session cookie.'
  return scope ? `Needs the scope \`${scope}\`.` : 'Needs no key.'
}

function parameters(place: 'path' | 'query', schema: Operation['params'], share: (schema: unknown) => unknown): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (schema?.required as string[] | undefined)?.includes(name) === true,
    schema: share(property),
  }))
}

/** One response per status, naming the codes that come with it. */
function refusals(codes: ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => errors[code][0])
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const description = group.map((code) => `\`${code}\`: ${errors[code][1]}.`).join('\n\n')
      const isTemporary = group.some((code) => temporary.includes(code))
      return [status, { description, content, ...(isTemporary && { headers: retryAfter }) }]
    }),
  )
}

const temporary: ErrorCode[] = ['IDEMPOTENCY_IN_PROGRESS', 'RATE_LIMITED', 'OVERLOADED']
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before trying again', schema: { type: 'integer', minimum: 1 } },
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text, different for every new request. If you repeat the request with the same key within 24 hours, ' +
    'it is not executed again: you get the first response, byte for byte (except secrets, which are empty then).',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
}

/** A copy without our own keywords, in which schemas with a title become references. */
function asComponent(schema: Json, schemas: Record<string, Json>): Json {
  const { title } = schema
  const copy = Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !keyword.startsWith('x-') && keyword !== 'title')
      .map(([keyword, value]) => [keyword, copyValue(value, schemas)]),
  )
  if (typeof title !== 'string') return copy
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}

function copyValue(value: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => copyValue(item, schemas))
  return typeof value === 'object' && value !== null ? asComponent(value as Json, schemas) : value
}

const broken = {
  rule: {
    type: 'string',
    enum: Object.keys(fieldRules),
    description: 'What the field breaks, if a program can say it in words of its own',
  },
  limit: { type: 'number', description: 'The number of the rule, if it has one' },
}

const errorSchema: Json = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { type: 'string', enum: Object.keys(errors) },
        message: { type: 'string', description: 'A sentence for people; it may change, the code does not' },
        field: { type: 'string', description: 'The field with the problem, dotted: address.lat' },
        ...broken,
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'code', 'message'],
            properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' }, ...broken },
          },
        },
        requestId: { type: 'string', description: 'Also in the X-Request-Id header of every response' },
      },
    },
  },
}

const introduction = `Create tasks, assign them to drivers, follow their progress, and receive every change by webhook.

Every answer has \`success\`. Numbers may be sent as text (\`"12"\`), booleans as \`"true"\` and \`"false"\`, references as
numbers. A null for a field that cannot be null counts as not given. Unknown fields are ignored. Times are
\`YYYY-MM-DD HH:MM:SS\` in the zone of the organisation, or ISO 8601 with an offset; answers are ISO 8601 UTC.`
