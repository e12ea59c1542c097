import { type Node, problem } from './refusal.ts'

/*
 * One of several objects is read as one that has the fields of all of them and needs what all of them need; then comes
 * what the one that was named needs. So a field is right or wrong, and described, whatever the others are, and one that
 * another object has is kept: by it a repeat is told from something else.
 */

type Json = Record<string, unknown>

/** The object it is read as; any other schema as it is. */
export function asOne(node: Node): Node {
  const { oneOf, discriminator } = node
  if (!oneOf || !discriminator) return node
  const { propertyName, mapping } = discriminator
  const properties: Record<string, Node> = Object.assign({}, ...oneOf.map((member) => member.properties))
  const shared = Object.keys(properties).filter((name) => oneOf.every(({ required }) => required?.includes(name)))
  const kind = { type: 'string', enum: Object.keys(mapping) }
  return { type: 'object', required: shared, properties: { ...properties, [propertyName]: kind } }
}

/** What the named object needs beyond that, and is not there. */
export function missingIn({ oneOf = [], discriminator }: Node, value: unknown) {
  if (!discriminator) return []
  const { propertyName } = discriminator
  const given = value as Json
  const named = oneOf.find(({ properties }) => properties?.[propertyName]?.enum?.includes(given[propertyName]))
  return (named?.required ?? [])
    .filter((name) => given[name] === undefined)
    .map((name) => problem(name, { says: 'is required', rule: 'required' }))
}
