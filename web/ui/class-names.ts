/** Joins what is there: `join('a', isWide && 'b')`. */
export const join = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
