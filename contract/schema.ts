import type { Static, TObject, TSchema, TSchemaOptions } from 'typebox'
import { fieldRules, type Refusal } from './errors.ts'
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
import { Type } from './type.ts'

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
/** What an amount on the wire is; how many decimals are taken, the organisation says. */
const decimals = 'With up to two decimals if the organisation’s `moneyDecimals` is 2'
/** An amount of money as it is given. More than two decimals are refused when it is read. */
export const Amount = ({ description, ...options }: Described & { minimum?: number } = {}) =>
  Type.Number({
    minimum: 0,
    maximum: mostWhole,
    ...options,
    description: description ? `${description}. ${decimals}` : decimals,
    'x-money': true,
  })
/** An amount as it is shown: a number, 120 or 89.5. */
export const ShownAmount = (description?: string) => Type.Number({ ...(description && { description }) })
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

/**
 * One of several objects, told apart by the text in one of their fields: a whole body, or an item of `Each`. It is read by
 * `read/union.ts`.
 */
export function OneOf<const Members extends readonly TObject[]>(
  by: string,
  members: Members,
  options: { title: string; description?: string },
) {
  const mapping = members.flatMap((member) =>
    textsIn(member, by).map((text) => [text, `#/components/schemas/${(member as { title?: string }).title}`]),
  )
  return Type.Unsafe<{ [At in keyof Members]: Static<Members[At]> }[number]>({
    oneOf: members,
    discriminator: { propertyName: by, mapping: Object.fromEntries(mapping) },
    ...options,
  })
}
const textsIn = ({ properties }: TObject, by: string) => (properties[by] as { enum?: string[] }).enum ?? []
/** All texts that tell its objects apart. */
export const textsOf = (schema: TSchema) =>
  Object.keys((schema as { discriminator?: { mapping: object } }).discriminator?.mapping ?? {})

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

/** Why one item of many was refused. */
export const ItemError = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    field: Type.Optional(Type.String()),
    rule: Type.Optional(Type.String({ enum: Object.keys(fieldRules) })),
    limit: Type.Optional(Type.Number()),
  },
  { title: 'ItemError' },
)

/** A part of a list: at most `limit`, starting at the cursor. */
export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostItems })),
  cursor: Type.Optional(Text(longest.cursor, { description: 'The `nextCursor` of the previous page' })),
})
export type PageQuery = Static<typeof PageQuery>

/** The members of a response: `success` and what the operation returns. */
export const reply = <Properties extends TObject['properties']>(properties: Properties) =>
  Type.Object({ success: Type.Literal(true), ...properties })
