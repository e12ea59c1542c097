/*
 * Reproducible random numbers: Marsaglia's 32-bit xorshift, in a typed array because numbers outside the range of small
 * integers would be allocated each time.
 */

export type Random = Int32Array

export function makeRandom(seed: number): Random {
  // Mixed, so that neighbouring seeds start differently; and never zero, which would stay zero forever.
  let mixed = Math.imul((seed | 0) ^ 0x9e3779b9, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return Int32Array.of(mixed ^ (mixed >>> 16) || 1)
}

/** At least 0, below 1. */
export function drawUnit(random: Random): number {
  let x = random[0]!
  x ^= x << 13
  x ^= x >>> 17
  x ^= x << 5
  random[0] = x
  return (x >>> 0) * 2 ** -32
}

/** A whole number from 0 to below `count`. */
export const drawBelow = (random: Random, count: number) => Math.floor(drawUnit(random) * count)
