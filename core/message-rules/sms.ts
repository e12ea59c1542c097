/*
 * How a text travels by SMS. A segment has 140 bytes: 160 characters of the GSM alphabet, or 70 of any others. Every
 * segment is paid for, and one character outside the alphabet more than halves what fits.
 */

const gsm =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** They take two places. */
const gsmExtension = '\f^{}\\[~]|€'

const plain = new Set(gsm)
const extended = new Set(gsmExtension)

export interface SmsLength {
  encoding: 'GSM-7' | 'UCS-2'
  /** As the encoding counts them: some characters count twice. */
  characters: number
  segments: number
}

/** Whether every character is in the GSM alphabet. */
export const isGsm = (text: string) => [...text].every((one) => plain.has(one) || extended.has(one))

/** In a text of several segments each carries a header, so less fits into it. */
export function measureSms(text: string): SmsLength {
  const encoding = isGsm(text) ? 'GSM-7' : 'UCS-2'
  const [alone, together] = encoding === 'GSM-7' ? [160, 153] : [70, 67]
  // A character that takes two places is never cut in half, so it moves to the next segment.
  const places = [...text].map((one) => (encoding === 'UCS-2' ? one.length : extended.has(one) ? 2 : 1))
  const characters = places.reduce((sum, size) => sum + size, 0)
  if (characters <= alone) return { encoding, characters, segments: text === '' ? 0 : 1 }
  let segments = 1
  let used = 0
  for (const size of places) {
    if (used + size > together) {
      segments += 1
      used = 0
    }
    used += size
  }
  return { encoding, characters, segments }
}

/** Typical signs of typesetting and what a phone has instead. */
const signs: Record<string, string> = {
  '„': '"',
  '”': '"',
  '“': '"',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
}

/** The same words in the GSM alphabet where that is possible: Ștefan becomes Stefan, Ødegård stays as it is. */
export function toGsm(text: string): string {
  const simple = (one: string) => signs[one] ?? one.normalize('NFD').replace(/\p{M}/gu, '')
  return [...text.normalize('NFC')].map((one) => (isGsm(one) ? one : simple(one))).join('')
}
