/** Text that is HTML already. Everything else is escaped, so nobody's name can become a tag. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | false | null | undefined | readonly Part[]

/** Puts parts into a template, also inside attributes in quotes. What is false or missing leaves nothing. */
export const html = (template: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(template.map((text, index) => text + (index < parts.length ? write(parts[index]) : '')).join(''))

function write(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object' && part !== null) return part.map(write).join('')
  return part === false || part === null || part === undefined ? '' : escapeText(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] as string)
