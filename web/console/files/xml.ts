/*
 * As much of XML as spreadsheets use. DOMParser would need memory for a whole sheet and block the page, and it does not
 * exist in Node, where the tests run.
 */

export interface Element {
  name: string
  /** Unparsed. */
  attributes: string
  children: Element[]
  text: string
}

/** A comment, text without escapes, a tag, or text. Some programs put a prefix before every name: `<x:row>`. */
const piece =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:[^>"'/]|"[^"]*"|'[^']*'|\/(?!>))*)(\/?)>|([^<]+)/g

/** All elements with this name, at any depth, with their content. */
export function* elementsOf(xml: string, wanted: string): Generator<Element> {
  const open: Element[] = []
  for (const [, literal, closing, name, attributes = '', alone, text = ''] of xml.matchAll(piece)) {
    const parent = open.at(-1)
    if (name === undefined) {
      if (parent) parent.text += literal ?? plainText(text)
    } else if (closing) {
      const closed = open.pop()
      if (closed && open.length === 0) yield closed
    } else if (parent || name === wanted) {
      const element = { name, attributes, children: [], text: '' }
      parent?.children.push(element)
      if (!alone) open.push(element)
      else if (!parent) yield element
    }
  }
}

const patterns = new Map<string, RegExp>()

/** The value of an attribute, named as it is written. */
export function attributeOf({ attributes }: Element, name: string): string | undefined {
  let pattern = patterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const [, double, single] = pattern.exec(attributes) ?? []
  const value = double ?? single
  return value === undefined ? undefined : plainText(value)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plainText = (text: string) =>
  text.includes('&')
    ? text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
        name ? (entities[name] ?? whole) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
      )
    : text
