/* Code 128 (ISO/IEC 15417) of plain text: two of its sets are enough, B for printable ASCII and C for pairs of digits. */

/** Bars and spaces of every symbol in turn, in modules; the last one is the stop, with its closing bar. */
const symbols = (
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221' +
  '223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321' +
  '112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131' +
  '311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114' +
  '122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141' +
  '214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232'
).match(/.{6}/g) as string[]
const stop = '2331112'

/** The value of a symbol: starting with a set, going on in one, and the check symbol's base. */
const starts = { B: 104, C: 105 } as const
const switches = { B: 100, C: 99 } as const
const symbolModules = 11
const stopModules = 13

export type Code128Set = keyof typeof starts

/** A part of a text and the set it is written in. */
export interface Code128Part {
  set: Code128Set
  text: string
}

/**
 * Pairs of digits take half the room; changing the set takes one symbol. Undefined if there is a character that the
 * code has not.
 */
export function splitForCode128(text: string): Code128Part[] | undefined {
  if (!/^[ -~]+$/.test(text)) return undefined
  const parts: Code128Part[] = []
  const add = (set: Code128Set, more: string) => {
    const last = parts.at(-1)
    if (last?.set === set) last.text += more
    else if (more !== '') parts.push({ set, text: more })
  }
  for (const run of text.match(/\d+|\D+/g) ?? []) {
    const isAtAnEnd = parts.length === 0 || text.endsWith(run)
    const isWorthIt = /^\d/.test(run) && run.length >= (run === text ? 2 : isAtAnEnd ? 4 : 6)
    // An odd digit stays with the letters it follows, or comes first.
    const alone = isWorthIt ? run.length % 2 : run.length
    add('B', run.slice(0, alone))
    add('C', run.slice(alone))
  }
  return parts
}

/** The widths of bars and spaces in turn, beginning and ending with a bar; undefined where it cannot be written. */
export function encodeCode128(text: string): number[] | undefined {
  const parts = splitForCode128(text)
  if (!parts) return undefined
  const values = parts.flatMap(({ set, text }, at) => [
    at === 0 ? starts[set] : switches[set],
    ...(set === 'C'
      ? (text.match(/../g) ?? []).map(Number)
      : [...text].map((character) => character.charCodeAt(0) - 32)),
  ])
  const check = values.reduce((sum, value, at) => sum + value * Math.max(1, at), 0) % 103
  const widths = [...values, check].map((value) => symbols[value] as string).join('') + stop
  return [...widths].map(Number)
}

/** How wide it is, in modules, without the ten modules of quiet on either side; undefined where it cannot be written. */
export function modulesOfCode128(text: string): number | undefined {
  const parts = splitForCode128(text)
  if (!parts) return undefined
  const count = parts.reduce((sum, { set, text }) => sum + 1 + text.length / (set === 'C' ? 2 : 1), 0)
  return (count + 1) * symbolModules + stopModules
}

/** Left and right of the bars nothing may be printed for so many modules. */
export const quietModules = 10
