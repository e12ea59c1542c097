import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { isAmount, mostDecimals } from '../../core/money.ts'
import { type ErrorDetail, Refusal } from '../errors.ts'
import { findFault, isText, notText, printsLonger } from './json.ts'
import { explain, join, type Node, problem, refusalOf } from './refusal.ts'
import { asOne, missingIn } from './union.ts'

/*
 * How input is read, decided once. A schema describes the canonical form; before the check, the value is brought
 * into that form: numbers and booleans may come as text, a null for a field that cannot be null counts as not given,
 * and unknown fields are dropped. Ajv's coercion gets none of these right (null becomes 0, "" or false).
 */

type Json = Record<string, unknown>

const numeric = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i
/** An id written as 1e3 must not become the id 1000. */
const whole = /^\s*[+-]?\d+(\.0*)?\s*$/
const writtenMoney = /^\s*[+-]?\d+(?:\.(\d*))?\s*$/

const has = (node: Node, type: string) => node.type === type || (Array.isArray(node.type) && node.type.includes(type))
/** A number with more digits than JSON keeps has already changed when we see it. */
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER
const isNullable = (node: Node) =>
  has(node, 'null') || node['x-any'] === true || !!node.anyOf?.some((one) => has(one, 'null'))
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a value by its schema, or throws one refusal that names every invalid field. */
export function reader<Schema extends TSchema>(
  schema: Schema,
  subject = 'the body',
): (value: unknown) => Static<Schema> {
  const given = schema as unknown as Node
  const node = asOne(given)
  // Made when first needed: for all operations at once it took a tenth of the server's start.
  let validator: Validator | undefined
  let settle: Settle | undefined
  return (value) => {
    validator ??= Compile(withoutEach(node))
    settle ??= settler(node)
    const problems: ErrorDetail[] = []
    const settled = settle(value, '', problems)
    if (problems.length === 0 && !validator.Check(settled))
      problems.push(...explain(validator.Errors(settled)[1], node, subject))
    else if (problems.length === 0) problems.push(...missingIn(given, settled))
    if (problems.length > 0) throw refusalOf(problems)
    return settled as Static<Schema>
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

/** Brings a value into its canonical form; what does not fit is left for the check to refuse. */
type Settle = (value: unknown, field: string, problems: ErrorDetail[]) => unknown

/** Made once from the schema: a phone sends a hundred positions at a time, and each has seven fields. */
function settler(node: Node): Settle {
  const settle = settlerOf(node)
  const most = node['x-most']
  return (value, field, problems) => {
    if (value === null) return null
    if (typeof most === 'number' && printsLonger(value, most)) {
      problems.push(
        problem(field, { says: `must be at most ${most} bytes of JSON, with all digits of its numbers written out` }),
      )
      return undefined
    }
    return settle(value, field, problems)
  }
}

function settlerOf(node: Node): Settle {
  if (node['x-any']) return keepJson
  const [alternative, asObject] = node.anyOf?.filter((one) => !has(one, 'null')).map(settler) ?? []
  if (alternative && asObject) return (value, ...more) => (isRecord(value) ? asObject : alternative)(value, ...more)
  if (alternative) return alternative
  const settleText = textSettler(node)
  const settleOther = numberSettler(node) ?? objectSettler(node) ?? mapSettler(node) ?? listSettler(node)
  return (value, field, problems) => {
    if (typeof value === 'string') return settleText(value, field, problems)
    return settleOther ? settleOther(value, field, problems) : value
  }
}

const keepJson: Settle = (value, field, problems) => {
  const fault = findFault(value)
  if (fault) problems.push(problem(field, { says: fault }))
  return value
}

/** Money with more than two decimals is refused, not rounded. The organisation may want none: its actions see to that. */
const tooFine = (field: string) =>
  problem(field, { says: `must have at most ${mostDecimals} decimals`, rule: 'decimals', limit: mostDecimals })

function textSettler(node: Node) {
  if (node['x-money']) return settleMoneyText
  const [isInteger, isNumber, isBoolean] = [has(node, 'integer'), has(node, 'number'), has(node, 'boolean')]
  return (value: string, field: string, problems: ErrorDetail[]) => {
    if (isInteger && whole.test(value)) return Number(value)
    if (isNumber && numeric.test(value)) return Number(value)
    if (isBoolean && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
    checkText(value, field, problems)
    return value
  }
}

/** The decimals are counted as they are written: as a number, most of a long row of digits is lost. */
function settleMoneyText(value: string, field: string, problems: ErrorDetail[]) {
  checkText(value, field, problems)
  const [isNumber, decimals = ''] = writtenMoney.exec(value) ?? []
  if (isNumber === undefined) return value
  if (decimals.replace(/0+$/, '').length > mostDecimals) problems.push(tooFine(field))
  return Number(value)
}

const settleMoney: Settle = (value, field, problems) => {
  if (typeof value === 'number' && !isAmount(value)) problems.push(tooFine(field))
  return value
}

function numberSettler(node: Node): Settle | undefined {
  if (node['x-money']) return settleMoney
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
      problems.push({ field, code: 'TOO_MANY_ITEMS', message, rule: 'maxItems', limit: maxItems })
      return []
    }
    if (readEach) return value.map(readEach)
    return value.map((item, index) => settle(item, join(field, index), problems))
  }
}

function checkText(value: string, field: string, problems: ErrorDetail[]) {
  if (!isText(value)) problems.push(problem(field, { says: notText }))
}
