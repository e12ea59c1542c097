import { inflateSync } from 'node:zlib'

/* Reads back the PDF files we make: their text, page by page, and how many pictures are on each. */

export interface ReadPage {
  text: string
  pictures: number
}

export function readPdf(bytes: Uint8Array): ReadPage[] {
  const file = Buffer.from(bytes).toString('latin1')
  if (!file.startsWith('%PDF-') || !file.trimEnd().endsWith('%%EOF')) throw new Error('This is no PDF')
  const objects = new Map<string, string>()
  for (const [, id, body] of file.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g))
    objects.set(id as string, body as string)
  const object = (id: string | undefined) => objects.get(id ?? '') ?? ''
  const fonts = new Map<string, Map<string, string>>()
  for (const [, name, id] of file.matchAll(/\/(F\d+) (\d+) 0 R/g))
    fonts.set(name as string, readCodes(streamOf(object(/\/ToUnicode (\d+) 0 R/.exec(object(id))?.[1]))))
  return [...objects.values()]
    .filter((body) => /\/Type \/Page\n/.test(body))
    .map((body) => readPage(streamOf(object(/\/Contents (\d+) 0 R/.exec(body)?.[1])), fonts))
}

function streamOf(object: string): string {
  const at = object.indexOf('stream\n')
  if (at < 0) return ''
  const bytes = Buffer.from(object.slice(at + 7, object.lastIndexOf('\nendstream')), 'latin1')
  return (object.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1')
}

/** Which letters the codes of a font stand for. */
function readCodes(map: string): Map<string, string> {
  const codes = new Map<string, string>()
  for (const [, first, list] of map.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g))
    [...(list as string).matchAll(/<([\w ]*)>/g)].forEach(([, hex], at) => {
      const code = (Number.parseInt(first as string, 16) + at).toString(16).padStart(4, '0')
      codes.set(
        code,
        Buffer.from((hex as string).replaceAll(' ', ''), 'hex')
          .swap16()
          .toString('utf16le'),
      )
    })
  return codes
}

function readPage(content: string, fonts: Map<string, Map<string, string>>): ReadPage {
  let codes = new Map<string, string>()
  const lines: string[] = []
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    if (font) codes = fonts.get(font) ?? codes
    else lines.push([...(shown ?? '').matchAll(/<(\w*)>/g)].map(([, hex]) => textOf(hex as string, codes)).join(''))
  }
  return { text: lines.join('\n'), pictures: [...content.matchAll(/\/I\d+ Do/g)].length }
}

const textOf = (hex: string, codes: Map<string, string>) =>
  (hex.match(/.{4}/g) ?? []).map((code) => codes.get(code.toLowerCase()) ?? '').join('')
