export type Risk = 'late' | 'risky' | 'none'

/* Every look of a pin is a separate image, drawn by `pin-images.ts` when first needed. Its name describes it completely. */

export const pinImage = (status: number, risk: Risk, isApproximate: boolean) =>
  `pin/${status}/${risk}/${isApproximate ? 1 : 0}`
export const stopImage = (number: number | undefined, status: number, risk: Risk) =>
  `stop/${number ?? '·'}/${status}/${risk}`
export const pileImage = (count: number) => `pile/${count > 99 ? '99+' : count}`
export const arrowImage = 'arrow'
