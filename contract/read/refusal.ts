import { type ErrorDetail, Refusal } from '../errors.ts'

/* A value that does not fit its schema, as sentences about fields. */

/** A part of a schema, with the keywords that matter here. */
export interface Node {
  type?: string | string[]
  anyOf?: Node[]
  oneOf?: Node[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Node>
  additionalProperties?: Node
  items?: Node
  maxItems?: number
  [keyword: `x-${string}`]: unknown
}

export const join = (field: string, key: string | number) => (field ? `${field}.${key}` : String(key))
type Fault = Pick<ErrorDetail, 'rule' | 'limit'> & { says: string }
export const problem = (field: string, { says, ...broken }: Fault, subject = 'the body'): ErrorDetail => ({
  field,
  code: 'VALIDATION_FAILED',
  message: `${field || subject} ${says}`,
  ...broken,
})

/** One problem becomes the error itself; several are listed in it. */
export function refusalOf(problems: ErrorDetail[]): Refusal {
  const [first, ...others] = problems as [ErrorDetail, ...ErrorDetail[]]
  const { code, field, ...rest } = first
  if (others.length === 0) return new Refusal(code, { ...rest, ...(field && { field }) })
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
export function explain(violations: Violation[], root: Node, subject: string): ErrorDetail[] {
  const found = new Map<string, ErrorDetail>()
  for (const violation of violations) {
    const field = violation.instancePath.slice(1).replaceAll('/', '.')
    const params = violation.params as Record<string, unknown>
    if (violation.keyword === 'required') {
      for (const name of params['requiredProperties'] as string[])
        found.set(join(field, name), problem(join(field, name), { says: 'is required', rule: 'required' }))
      continue
    }
    if (violation.keyword === 'anyOf' || (violation.keyword === 'type' && params['type'] === 'null')) continue
    if (!found.has(field))
      found.set(field, problem(field, faultOf(violation.keyword, params, at(root, violation)), subject))
  }
  return found.size > 0 ? [...found.values()] : [problem('', { says: 'is not valid' }, subject)]
}

function at(root: Node, { schemaPath }: Violation): Node {
  const steps = schemaPath.slice(2).split('/').filter(Boolean)
  return steps.reduce<Node>((node, step) => (node as Record<string, Node>)[step] ?? {}, root)
}

function faultOf(keyword: string, params: Record<string, unknown>, node: Node): Fault {
  const own = node['x-rule']
  if (typeof own === 'string') return { says: own, rule: node['x-email'] ? 'email' : 'format' }
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'type': {
      const types = [params['type']].flat().map(String)
      const rule = types.includes('integer') ? 'wholeNumber' : 'type'
      return { says: `must be ${types.map((type) => articles[type]).join(' or ')}`, rule }
    }
    case 'minimum':
      return { says: `must be at least ${limit}`, rule: keyword, limit }
    case 'maximum':
      return { says: `must be at most ${limit}`, rule: keyword, limit }
    case 'minLength':
      return { says: 'must not be empty', rule: keyword, limit }
    case 'maxLength':
      return { says: `must be at most ${limit} characters long`, rule: keyword, limit }
    case 'minItems':
      return { says: `must have at least ${limit} ${limit === 1 ? 'item' : 'items'}`, rule: keyword, limit }
    case 'enum':
      return { says: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`, rule: keyword }
    default:
      return { says: 'is not valid', rule: 'format' }
  }
}
