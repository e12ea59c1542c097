/** A part of a whole in percent, as it is shown: 100 % only if it is all, 0 % only if it is nothing, a dash if there is no whole. */
export function shareOf(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = Math.round((100 * part) / whole)
  if (part > 0 && percent === 0) return '1%'
  return part < whole && percent === 100 ? '99%' : `${percent}%`
}
