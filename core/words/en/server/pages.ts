import type { Texts } from '../../say.ts'

/** What a visitor reads instead of a page. */
export const pageWords = {
  notFound: 'Page not found',
  notFoundLead: 'There is nothing at this address.',
  goToWaybill: 'Go to Waybill',
  missing: 'Page not found',
  missingLead: 'This page does not exist, or it has closed. Check the link you were sent.',
  tooMany: 'Too many tries',
  tooManyLead: 'Please wait a minute, then load the page again.',
  busy: 'Please try again',
  busyLead: 'Too many people are asking at this moment. Load the page again in a few seconds.',
  notEnded: 'Not finished yet',
  notEndedLead: 'There is a proof as soon as the delivery has ended.',
  failed: 'Something went wrong',
  failedLead: 'Please load the page again in a moment.',
} as const satisfies Texts
