/** Joins class names, leaving out false ones: `join('a', isWide && 'b')`. */
export const join = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
