interface Node {
  properties?: Record<string, Node>
  items?: Node
  'x-secret'?: boolean
}

/** Copies an answer with its one-time secrets emptied; returns it unchanged if it has none. */
export const secretBlanker = (schema: Node) =>
  holdsSecrets(schema) ? blankIn(schema) : <Value>(answer: Value) => answer

const blankIn = (schema: Node) => (answer: unknown) => blank(schema, answer)

function blank(node: Node, value: unknown): unknown {
  if (node['x-secret']) return ''
  if (node.items && Array.isArray(value)) return value.map((item) => blank(node.items as Node, item))
  if (!node.properties || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, blank(node.properties?.[name] ?? {}, inner)]),
  )
}

const holdsSecrets = (node: Node): boolean =>
  node['x-secret'] === true ||
  (node.items !== undefined && holdsSecrets(node.items)) ||
  Object.values(node.properties ?? {}).some(holdsSecrets)
