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
export const problem = (field: string, says: string, subject = 'the body'): ErrorDetail => ({
  field,
  code: 'VALIDATION_FAILED',
  message: `${field || subject} ${says}`,
})

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
export function explain(violations: Violation[], root: Node, subject: string): ErrorDetail[] {
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
