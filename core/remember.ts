/**
 * The same function, which remembers its latest results. For formats of `Intl`: each takes 50 kB outside the heap, where
 * only cleaning the heap gives it back, and longer to make than everything that is then written with it.
 */
export function remember<Given extends string[], Made>(make: (...given: Given) => Made, most = 50) {
  const known = new Map<string, Made>()
  return (...given: Given): Made => {
    const key = given.join('\n')
    const made = known.has(key) ? (known.get(key) as Made) : make(...given)
    // What was used last comes last, and the first goes when there are too many.
    known.delete(key)
    known.set(key, made)
    if (known.size > most) known.delete(known.keys().next().value as string)
    return made
  }
}
