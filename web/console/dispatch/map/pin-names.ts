export type Risk = 'late' | 'risky' | 'none'

/* Every look of a pin is a separate image, drawn by `pin-images.ts` when first needed. Its name describes it completely. */

export const pinImage = (status: number, risk: Risk, isApproximate: boolean) =>
  `pin/${status}/${risk}/${isApproximate ? 1 : 0}`
export const stopImage = (number: number | undefined, status: number, risk: Risk) =>
  `stop/${number ?? '·'}/${status}/${risk}`
export const pileImage = (count: number) => `pile/${count > 99 ? '99+' : count}`
/** Followed by how many. */
export const clusterPrefix = 'cluster/'
/** From which rank on a pin is that of a task at risk, or of a late one. */
export const rankFrom = { risky: 3, late: 5 }
export const arrowImage = 'arrow'
