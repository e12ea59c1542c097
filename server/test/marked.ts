/*
 * Texts of a language nobody speaks, made from the English ones: each is longer and marked, so that what a page says in
 * spite of it stands out.
 */

const mark = (text: string) => `«${text}~~»`

/** The same texts, marked, however deep they are. */
export const markAll = <Texts extends object>(texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [key, typeof value === 'string' ? mark(value) : markAll(value)]),
  ) as Texts

/** What somebody typed, and what `Intl` writes by itself: money and lengths. */
const data = /[^\s«»~]*Ω[^\s«»~]*|\b(?:RON|km|m)\b/g
const marked = /«[^«»]*~~»/g

/** The words of a text that no language has. */
export function unmarked(text: string): string[] {
  let left = text.replace(data, ' ')
  // From the inside out: a text may stand in the place of another one.
  for (let before = ''; before !== left; ) {
    before = left
    left = left.replace(marked, ' ')
  }
  return left.match(/\p{L}[\p{L}’'-]*/gu) ?? []
}

/** The same for a page: what it shows, and what it says to those who cannot see it. */
export function unmarkedInPage(html: string): string[] {
  const shown = html.replace(/<(style|script|svg)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<!doctype[^>]*>/g, ' ')
  const said = [
    ...shown.matchAll(
      /\s(?:alt|title|placeholder|aria-label|data-(?:live|updated|since|failed|name|here|map|unreachable))="([^"]*)"/g,
    ),
  ]
  return [shown.replace(/<[^>]*>/g, ' | '), ...said.map(([, text]) => text as string)].flatMap((text) =>
    unmarked(text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')),
  )
}
