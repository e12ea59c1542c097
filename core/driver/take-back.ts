/** What the log of a task says about one change. */
export interface Logged {
  sequence: number
  /** That time passes, and that the driver moves, is nobody's doing. */
  isNobodys: boolean
  /** The number of the change that this one took back. */
  takesBack: number | null
}

export type TakingBack = 'possible' | 'done' | 'tooLate'

/**
 * Whether a change can still be taken back: as long as nothing else happened to the task. What was itself taken back
 * did not happen.
 */
export function judgeTakingBack(sequence: number, later: readonly Logged[]): TakingBack {
  const gone = new Set(later.map(({ takesBack }) => takesBack))
  if (gone.has(sequence)) return 'done'
  const counts = ({ sequence, isNobodys, takesBack }: Logged) => !isNobodys && takesBack === null && !gone.has(sequence)
  return later.some(counts) ? 'tooLate' : 'possible'
}
