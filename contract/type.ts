import type { TSchema, Type as TypeBox } from 'typebox'

/*
 * What schemas are made of. The types, and the check of a value, are TypeBox's, and so are these objects: its own functions
 * make the same, but come with 300 modules, which took a fifth of the processor time of every start.
 */

const optional = new WeakSet<object>()

const make = {
  Object(properties: Record<string, TSchema>, options?: object) {
    const required = Object.keys(properties).filter((key) => !optional.has(properties[key] as TSchema))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional(schema: TSchema) {
    const copy = { ...schema }
    optional.add(copy)
    return copy
  },
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Literal: (value: string | number | boolean, options?: object) => ({ type: typeof value, const: value, ...options }),
  Union: (anyOf: TSchema[], options?: object) => ({ anyOf, ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
}

/** The functions with the types of TypeBox. */
export const Type = make as unknown as Pick<typeof TypeBox, keyof typeof make>
