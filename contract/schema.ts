import { type Static, type TObject, type TSchema, type TSchemaOptions, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { type ErrorDetail, Refusal } from './errors.ts'
import {
  awbPattern,
  longest,
  mostItems,
  mostJson,
  mostLanguages,
  mostLatitude,
  mostLongitude,
  mostWhole,
} from './limits.ts'

/*
 * How input is read, decided once. A schema describes the canonical form; before the check, the value is brought
 * into that form: numbers and booleans may come as text, a null for a field that cannot be null counts as not given,
 * and unknown fields are dropped. Ajv's coercion gets none of these right (null becomes 0, "" or false).
 */

type Described = { description?: string }

export const Text = (max: number, options: TSchemaOptions & { minLength?: number } = {}) =>
  Type.String({ maxLength: max, ...options })
/** Text that is not only spaces. */
export const Words = (max: number) =>
  Type.String({ maxLength: max, pattern: '\\S', 'x-rule': `must be 1 to ${max} characters, not only spaces` })
/** A readable name: not only spaces. */
export const Name = (options: TSchemaOptions = {}) =>
  ({ ...Words(longest.name), ...options }) as ReturnType<typeof Words>
export const Whole = (options: Described & { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ minimum: 0, maximum: mostWhole, ...options })
export const Id = (description?: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...(description && { description }) })
export const Time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description && { description }), 'x-output': true })
/** Text that is shown only once; in the answer to a repeated request it is empty. */
export const Secret = (description: string) => Type.String({ description, 'x-secret': true })
export const Latitude = Type.Number({ minimum: -mostLatitude, maximum: mostLatitude })
export const Longitude = Type.Number({ minimum: -mostLongitude, maximum: mostLongitude })

/** A task reference. Clients send it as text or as a number. */
export const Awb = Type.String({
  pattern: awbPattern,
  description: `The task reference: 1 to ${longest.awb} printable characters without a slash; numbers are read as text`,
  'x-rule': `must be 1 to ${longest.awb} printable characters without a slash, not only spaces, and not "." or ".."`,
  'x-number': true,
})

/** The schema, or null. Written as JSON Schema's list of types where it can be, which reads better than a union. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const plain = schema as { type?: string; enum?: unknown[] }
  const nullable =
    typeof plain.type === 'string' && plain.type !== 'object' && !plain.enum
      ? { ...schema, type: [plain.type, 'null'] }
      : { anyOf: [schema, { type: 'null' }] }
  return Type.Unsafe<Static<Schema> | null>(nullable)
}

/** A list whose items are checked one by one: an invalid item arrives as its refusal and does not affect the others. */
export const Each = <Schema extends TSchema>(item: Schema, description?: string, most = mostItems) =>
  Type.Unsafe<(Static<Schema> | Refusal)[]>({
    type: 'array',
    items: item,
    maxItems: most,
    'x-each': true,
    ...(description && { description }),
  })

/** Any JSON, kept as it came; `printsLonger` counts its bytes. */
export const AnyJson = (description?: string, most = mostJson) =>
  Type.Unsafe<unknown>({ 'x-any': true, 'x-most': most, ...(description && { description }) })

/** The same words in several languages. */
export const WordsByLanguage = (description?: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: Words(longest.name),
    maxProperties: mostLanguages,
    propertyNames: { pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'x-rule': 'must have language codes such as ro' },
    ...(description && { description }),
  })

type Json = Record<string, unknown>
interface Node {
  type?: string | string[]
  anyOf?: Node[]
  properties?: Record<string, Node>
  additionalProperties?: Node
  items?: Node
  maxItems?: number
  [keyword: `x-${string}`]: unknown
}

const numeric = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i
/** An id written as 1e3 must not become the id 1000. */
const whole = /^\s*[+-]?\d+(\.0*)?\s*$/
const deepestJson = 32

const has = (node: Node, type: string) => node.type === type || (Array.isArray(node.type) && node.type.includes(type))
/** A number with more digits than JSON keeps has already changed when we see it. */
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER
const isNullable = (node: Node) =>
  has(node, 'null') || node['x-any'] === true || !!node.anyOf?.some((one) => has(one, 'null'))
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Brings a value into its canonical form; what does not fit is left for the check to refuse. */
type Settle = (value: unknown, field: string, problems: ErrorDetail[]) => unknown

/** Made once from the schema: a phone sends a hundred positions at a time, and each has seven fields. */
function settler(node: Node): Settle {
  const settle = settlerOf(node)
  const most = node['x-most']
  return (value, field, problems) => {
    if (value === null) return null
    if (typeof most === 'number' && printsLonger(value, most)) {
      problems.push(problem(field, `must be at most ${most} bytes of JSON, with all digits of its numbers written out`))
      return undefined
    }
    return settle(value, field, problems)
  }
}

function settlerOf(node: Node): Settle {
  if (node['x-any']) return keepJson
  const alternative = node.anyOf?.find((one) => !has(one, 'null'))
  if (alternative) return settler(alternative)
  const settleText = textSettler(node)
  const settleOther = numberSettler(node) ?? objectSettler(node) ?? mapSettler(node) ?? listSettler(node)
  return (value, field, problems) => {
    if (typeof value === 'string') return settleText(value, field, problems)
    return settleOther ? settleOther(value, field, problems) : value
  }
}

const keepJson: Settle = (value, field, problems) => {
  const fault = findFault(value)
  if (fault) problems.push(problem(field, fault))
  return value
}

function textSettler(node: Node) {
  const [isInteger, isNumber, isBoolean] = [has(node, 'integer'), has(node, 'number'), has(node, 'boolean')]
  return (value: string, field: string, problems: ErrorDetail[]) => {
    if (isInteger && whole.test(value)) return Number(value)
    if (isNumber && numeric.test(value)) return Number(value)
    if (isBoolean && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
    checkText(value, field, problems)
    return value
  }
}

function numberSettler(node: Node): Settle | undefined {
  if (!node['x-number']) return undefined
  return (value) => (typeof value === 'number' && isExact(value) ? String(value) : value)
}

function objectSettler({ properties, ...node }: Node): Settle | undefined {
  if (!has(node, 'object') || !properties) return undefined
  const fields = Object.entries(properties).map(([key, property]) => ({
    key,
    settle: settler(property),
    takesNull: isNullable(property),
  }))
  return (value, field, problems) => {
    if (!isRecord(value)) return value
    const settled: Json = {}
    for (const { key, settle, takesNull } of fields) {
      const given = Object.hasOwn(value, key) ? value[key] : undefined
      if (given === undefined || (given === null && !takesNull)) continue
      settled[key] = settle(given, join(field, key), problems)
    }
    return settled
  }
}

function mapSettler({ additionalProperties, ...node }: Node): Settle | undefined {
  if (!has(node, 'object') || !additionalProperties) return undefined
  const settle = settler(additionalProperties)
  return (value, field, problems) => {
    if (!isRecord(value)) return value
    const settled = Object.entries(value).map(([key, given]) => {
      checkText(key, field, problems)
      return [key, settle(given, join(field, key), problems)]
    })
    return Object.fromEntries(settled)
  }
}

function listSettler({ items, maxItems = Number.POSITIVE_INFINITY, ...node }: Node): Settle | undefined {
  if (!has(node, 'array') || !items) return undefined
  const readEach = node['x-each'] ? itemReader(items) : undefined
  const settle = settler(items)
  return (value, field, problems) => {
    if (!Array.isArray(value)) return value
    if (value.length > maxItems) {
      const message = `${field} takes at most ${maxItems} items, and there are ${value.length}`
      problems.push({ field, code: 'TOO_MANY_ITEMS', message })
      return []
    }
    if (readEach) return value.map(readEach)
    return value.map((item, index) => settle(item, join(field, index), problems))
  }
}

const notText = 'contains characters that are not text (a NUL or half of a surrogate pair)'
const isText = (value: string) => value.isWellFormed() && !value.includes('\0')

function checkText(value: string, field: string, problems: ErrorDetail[]) {
  if (!isText(value)) problems.push(problem(field, notText))
}

const encoder = new TextEncoder()
const printedText = (text: string) => encoder.encode(JSON.stringify(text)).length

/** PostgreSQL writes 1e300 as a one and 300 zeros. */
function printedNumber(value: number): number {
  const text = String(value)
  const [mantissa = '', exponent] = text.split('e')
  if (exponent === undefined) return text.length
  return Number(exponent) > 0 ? Number(exponent) + 2 : mantissa.length + 2 - Number(exponent)
}

/**
 * Whether PostgreSQL might print a value in more bytes than this. It never counts too few, rarely a few too many. A
 * list of numbers such as 1e300 prints fifty times as long as it was sent, every time it is read. Without recursion,
 * because the value is still unchecked, even its depth.
 */
function printsLonger(value: unknown, most: number): boolean {
  const left = [value]
  let bytes = 0
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'number') bytes += printedNumber(one)
    else if (typeof one === 'string') bytes += one.length > most ? one.length : printedText(one)
    else if (typeof one !== 'object' || one === null) bytes += 5
    else if (Array.isArray(one)) {
      bytes += 2 + 2 * one.length
      if (bytes <= most) for (const inner of one) left.push(inner)
    } else {
      bytes += 2
      for (const [key, inner] of Object.entries(one)) {
        bytes += printedText(key) + 4
        left.push(inner)
      }
    }
    if (bytes > most) return true
  }
  return false
}

/** The first reason why this JSON cannot be stored. */
function findFault(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : notText
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'has a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === deepestJson) return `is nested more than ${deepestJson} levels deep`
  for (const [key, inner] of Object.entries(value)) {
    const fault = isText(key) ? findFault(inner, depth + 1) : notText
    if (fault) return fault
  }
  return undefined
}

const join = (field: string, key: string | number) => (field ? `${field}.${key}` : String(key))
const problem = (field: string, says: string, subject = 'the body'): ErrorDetail => ({
  field,
  code: 'VALIDATION_FAILED',
  message: `${field || subject} ${says}`,
})

/** Reads a value by its schema, or throws one refusal that names every invalid field. */
export function reader<Schema extends TSchema>(
  schema: Schema,
  subject = 'the body',
): (value: unknown) => Static<Schema> {
  const node = schema as unknown as Node
  // Made when first needed: for all operations at once it took a tenth of the server's start.
  let validator: Validator | undefined
  let settle: Settle | undefined
  return (value) => {
    validator ??= Compile(withoutEach(node))
    settle ??= settler(node)
    const problems: ErrorDetail[] = []
    const settled = settle(value, '', problems)
    if (problems.length === 0 && validator.Check(settled)) return settled as Static<Schema>
    if (problems.length === 0) problems.push(...explain(validator.Errors(settled)[1], node, subject))
    throw refusalOf(problems)
  }
}

/** Items of an `Each` were read one by one and may be refusals, which the overall check must skip. */
function withoutEach(node: Node): Node {
  if (node['x-each']) return { type: 'array' }
  if (!node.properties) return node
  const properties = Object.entries(node.properties).map(([key, property]) => [key, withoutEach(property)])
  return { ...node, properties: Object.fromEntries(properties) }
}

function itemReader(schema: Node) {
  const read = reader(schema as TSchema, 'the item')
  return (item: unknown): unknown => {
    try {
      return read(item)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      error.given = item
      return error
    }
  }
}

/** One problem becomes the error itself; several are listed in it. */
export function refusalOf(problems: ErrorDetail[]): Refusal {
  const [first, ...others] = problems as [ErrorDetail, ...ErrorDetail[]]
  if (others.length === 0)
    return new Refusal(first.code, { message: first.message, ...(first.field && { field: first.field }) })
  const message = `${first.message}, and ${others.length} more ${others.length === 1 ? 'field is' : 'fields are'} not valid`
  return new Refusal('VALIDATION_FAILED', { message, field: first.field, details: problems })
}

interface Violation {
  keyword: string
  schemaPath: string
  instancePath: string
  params: object
}

const articles: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

/** The validator's errors as sentences about fields, each field once. */
function explain(violations: Violation[], root: Node, subject: string): ErrorDetail[] {
  const found = new Map<string, ErrorDetail>()
  for (const violation of violations) {
    const field = violation.instancePath.slice(1).replaceAll('/', '.')
    const params = violation.params as Record<string, unknown>
    if (violation.keyword === 'required') {
      for (const name of params['requiredProperties'] as string[])
        found.set(join(field, name), problem(join(field, name), 'is required'))
      continue
    }
    if (violation.keyword === 'anyOf' || (violation.keyword === 'type' && params['type'] === 'null')) continue
    if (!found.has(field))
      found.set(field, problem(field, sentence(violation.keyword, params, at(root, violation)), subject))
  }
  return found.size > 0 ? [...found.values()] : [problem('', 'is not valid', subject)]
}

function at(root: Node, { schemaPath }: Violation): Node {
  const steps = schemaPath.slice(2).split('/').filter(Boolean)
  return steps.reduce<Node>((node, step) => (node as Record<string, Node>)[step] ?? {}, root)
}

function sentence(keyword: string, params: Record<string, unknown>, node: Node): string {
  if (typeof node['x-rule'] === 'string') return node['x-rule']
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']]
        .flat()
        .map((type) => articles[String(type)])
        .join(' or ')}`
    case 'minimum':
      return `must be at least ${params['limit']}`
    case 'maximum':
      return `must be at most ${params['limit']}`
    case 'minLength':
      return 'must not be empty'
    case 'maxLength':
      return `must be at most ${params['limit']} characters long`
    case 'minItems':
      return `must have at least ${params['limit']} ${params['limit'] === 1 ? 'item' : 'items'}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    default:
      return 'is not valid'
  }
}

/** Why one item of many was refused. */
export const ItemError = Type.Object(
  { code: Type.String(), message: Type.String(), field: Type.Optional(Type.String()) },
  { title: 'ItemError' },
)

/** A part of a list: at most `limit`, starting at the cursor. */
export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostItems })),
  cursor: Type.Optional(Text(200, { description: 'The `nextCursor` of the previous page' })),
})
export type PageQuery = Static<typeof PageQuery>

/** The members of a response: `success` and what the operation returns. */
export const reply = <Properties extends TObject['properties']>(properties: Properties) =>
  Type.Object({ success: Type.Literal(true), ...properties })
