import type { Cause } from '../../../message-rules/causes.ts'
import type { MessageText } from '../../../message-rules/texts.ts'
import type { Texts } from '../../say.ts'

/** Short, so that each fits into one SMS with usual names, and without letters that make an SMS longer. */
export const standardTexts: Record<Cause, MessageText> = {
  onItsWay: {
    subject: 'Your delivery is on its way',
    body: '{company}: your delivery {awb} is on its way, expected {eta}. Follow it: {link}',
  },
  nextStop: {
    subject: 'You are one of the next stops',
    body: '{company}: our driver {driver} will be with you soon, expected {eta}. Follow: {link}',
  },
  arrived: { subject: 'Our driver has arrived', body: '{company}: our driver {driver} has arrived with {awb}.' },
  delivered: {
    subject: 'Your delivery is complete',
    body: '{company}: {awb} was delivered. Proof of delivery: {link}',
  },
  failed: {
    subject: 'We could not deliver',
    body: '{company}: we could not deliver {awb}. {reason} Details: {link}',
  },
  windowChanged: {
    subject: 'The time of your delivery has changed',
    body: '{company}: {awb} will now come {window}. Details: {link}',
  },
}

/** The same for a pickup, where the driver comes to take something along. */
export const pickupTexts: Record<Cause, MessageText> = {
  onItsWay: {
    subject: 'Our driver is on the way to you',
    body: '{company}: our driver is on the way to pick up {awb}, expected {eta}. Follow: {link}',
  },
  nextStop: standardTexts.nextStop,
  arrived: { subject: 'Our driver has arrived', body: '{company}: our driver {driver} has arrived to pick up {awb}.' },
  delivered: {
    subject: 'Your pickup is complete',
    body: '{company}: {awb} was picked up. Proof of pickup: {link}',
  },
  failed: {
    subject: 'We could not pick up',
    body: '{company}: we could not pick up {awb}. {reason} Details: {link}',
  },
  windowChanged: {
    subject: 'The time of your pickup has changed',
    body: '{company}: we will now pick up {awb} {window}. Details: {link}',
  },
}

/** What stands in the places of a text. */
export const messageWords = {
  soon: 'soon',
  from: 'from {time}',
  until: 'until {time}',
  sampleReason: 'Nobody at home.',
} as const satisfies Texts
