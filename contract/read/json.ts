/* What PostgreSQL can store as text and JSON, and how long it prints it. */

const deepestJson = 32

export const notText = 'contains characters that are not text (a NUL or half of a surrogate pair)'
export const isText = (value: string) => value.isWellFormed() && !value.includes('\0')

const encoder = new TextEncoder()
const printedText = (text: string) => encoder.encode(JSON.stringify(text)).length

/** PostgreSQL writes 1e300 as a one and 300 zeros. */
function printedNumber(value: number): number {
  const text = String(value)
  const [mantissa = '', exponent] = text.split('e')
  if (exponent === undefined) return text.length
  return Number(exponent) > 0 ? Number(exponent) + 2 : mantissa.length + 2 - Number(exponent)
}

/**
 * Whether PostgreSQL might print a value in more bytes than this. It never counts too few, rarely a few too many. A
 * list of numbers such as 1e300 prints fifty times as long as it was sent, every time it is read. Without recursion,
 * because the value is still unchecked, even its depth.
 */
export function printsLonger(value: unknown, most: number): boolean {
  const left = [value]
  let bytes = 0
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'number') bytes += printedNumber(one)
    else if (typeof one === 'string') bytes += one.length > most ? one.length : printedText(one)
    else if (typeof one !== 'object' || one === null) bytes += 5
    else if (Array.isArray(one)) {
      bytes += 2 + 2 * one.length
      if (bytes <= most) for (const inner of one) left.push(inner)
    } else {
      bytes += 2
      for (const [key, inner] of Object.entries(one)) {
        bytes += printedText(key) + 4
        left.push(inner)
      }
    }
    if (bytes > most) return true
  }
  return false
}

/** The first reason why this JSON cannot be stored. */
export function findFault(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : notText
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'has a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === deepestJson) return `is nested more than ${deepestJson} levels deep`
  for (const [key, inner] of Object.entries(value)) {
    const fault = isText(key) ? findFault(inner, depth + 1) : notText
    if (fault) return fault
  }
  return undefined
}
