/*
 * How words are found that are written a little differently, with nothing but equality of numbers in the database: two words that
 * differ by one letter (one missing, one too many, one wrong, two swapped) become the same when a letter is left out of either,
 * or of both. So the register keeps each word under all its shortened forms, and a search looks for all of its own. Words that
 * differ by more, usually in vowels and doubled letters, share the skeleton of their consonants.
 */

/** FNV-1a, as a whole number that fits the database's `integer`. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash | 0
}

/** Shorter words have too many neighbours: "ion", "lia", "mai". */
const fewestForOne = 4
const fewestForTwo = 7
const fewestOfSkeleton = 3
/** Longer words are shortened at their beginning only. */
const mostLetters = 24

const isNumber = (word: string) => /\d/.test(word)

/** How many letters of a word may be different. */
export function toleranceFor(word: string): number {
  if (isNumber(word) || word.length < fewestForOne) return 0
  return word.length < fewestForTwo ? 1 : 2
}

const skeletonOf = (word: string) =>
  word
    .replace(/ph/g, 'f')
    .replace(/[ckq]+h?/g, 'k')
    .replace(/[wv]/g, 'v')
    .replace(/[zs]+/g, 's')
    .replace(/[aeiouyjh]/g, '')
    .replace(/(.)\1+/g, '$1')

/** Under what a word is kept, and looked for. */
export function formsOf(word: string): Set<number> {
  const forms = new Set([hashOf(word)])
  if (toleranceFor(word) === 0) return forms
  const length = Math.min(word.length, mostLetters)
  for (let at = 0; at < length; at += 1) forms.add(hashOf(word.slice(0, at) + word.slice(at + 1)))
  const skeleton = skeletonOf(word)
  if (skeleton.length >= fewestOfSkeleton) forms.add(hashOf(`#${skeleton}`))
  return forms
}

/**
 * How many letters differ, at most `most`, otherwise `most + 1`; two letters that changed places count as one.
 */
export function distanceBetween(one: string, other: string, most: number): number {
  if (one === other) return 0
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    let least = at
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1]
      let cost = Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (same ? 0 : 1))
      if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1])
        cost = Math.min(cost, before[to - 2]! + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    before = row
    row = next
  }
  return Math.min(row[other.length]!, most + 1)
}

/** How alike two words are: 1 if they are the same, 0 if they are different words. */
export function likenessOf(typed: string, known: string): number {
  if (typed === known) return 1
  const most = Math.min(toleranceFor(typed), toleranceFor(known))
  if (most === 0) return 0
  const distance = distanceBetween(typed, known, most)
  if (distance > most) return 0
  // A wrong first letter is rare, and more often means another word.
  const sameStart = typed[0] === known[0]
  if (distance === 1) return sameStart ? 0.88 : 0.75
  return sameStart ? 0.72 : 0.5
}
