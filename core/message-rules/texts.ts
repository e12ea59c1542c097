import type { Cause, ChannelName, Language } from './causes.ts'
import { isGsm, toGsm } from './sms.ts'

/** What a text can contain in braces, and what stands there when it is sent. */
export const placeholders = {
  company: 'The name of your organisation',
  customer: 'The name of the customer',
  awb: 'The reference of the task',
  driver: 'The first name of the driver',
  eta: 'When the driver is expected, such as 14:30; if unknown, “soon”',
  window: 'The time window of the task, such as 14:00-16:00',
  stops: 'How many stops the driver has before this one',
  reason: 'Why the task failed',
  link: 'The address of the tracking page',
} as const
export type Placeholder = keyof typeof placeholders

export interface MessageText {
  /** Only emails have one. */
  subject: string
  body: string
}

/** Short, so that each fits into one SMS with usual names, and without letters that make an SMS longer. */
export const standardTexts: Record<Cause, Record<Language, MessageText>> = {
  onItsWay: {
    en: {
      subject: 'Your delivery is on its way',
      body: '{company}: your delivery {awb} is on its way, expected {eta}. Follow it: {link}',
    },
    ro: {
      subject: 'Livrarea ta este pe drum',
      body: '{company}: livrarea {awb} este pe drum, sosire estimata {eta}. Urmareste: {link}',
    },
  },
  nextStop: {
    en: {
      subject: 'You are one of the next stops',
      body: '{company}: our driver {driver} will be with you soon, expected {eta}. Follow: {link}',
    },
    ro: {
      subject: 'Urmeaza livrarea ta',
      body: '{company}: soferul {driver} ajunge in curand la tine, sosire estimata {eta}. Urmareste: {link}',
    },
  },
  arrived: {
    en: { subject: 'Our driver has arrived', body: '{company}: our driver {driver} has arrived with {awb}.' },
    ro: { subject: 'Soferul a ajuns', body: '{company}: soferul {driver} a ajuns cu livrarea {awb}.' },
  },
  delivered: {
    en: {
      subject: 'Your delivery is complete',
      body: '{company}: {awb} was delivered. Proof of delivery: {link}',
    },
    ro: {
      subject: 'Livrarea ta este finalizata',
      body: '{company}: {awb} a fost livrat. Dovada livrarii: {link}',
    },
  },
  failed: {
    en: {
      subject: 'We could not deliver',
      body: '{company}: we could not deliver {awb}. {reason} Details: {link}',
    },
    ro: {
      subject: 'Nu am putut livra',
      body: '{company}: nu am putut livra {awb}. {reason} Detalii: {link}',
    },
  },
  windowChanged: {
    en: {
      subject: 'The time of your delivery has changed',
      body: '{company}: {awb} will now come {window}. Details: {link}',
    },
    ro: {
      subject: 'Ora livrarii s-a schimbat',
      body: '{company}: {awb} va ajunge acum {window}. Detalii: {link}',
    },
  },
}

/** The same for a pickup, where the driver comes to take something along. */
export const pickupTexts: typeof standardTexts = {
  onItsWay: {
    en: {
      subject: 'Our driver is on the way to you',
      body: '{company}: our driver is on the way to pick up {awb}, expected {eta}. Follow: {link}',
    },
    ro: {
      subject: 'Soferul este pe drum spre tine',
      body: '{company}: soferul este pe drum sa ridice {awb}, sosire estimata {eta}. Urmareste: {link}',
    },
  },
  nextStop: {
    en: standardTexts.nextStop.en,
    ro: { ...standardTexts.nextStop.ro, subject: 'Urmeaza ridicarea de la tine' },
  },
  arrived: {
    en: { subject: 'Our driver has arrived', body: '{company}: our driver {driver} has arrived to pick up {awb}.' },
    ro: { subject: 'Soferul a ajuns', body: '{company}: soferul {driver} a ajuns sa ridice {awb}.' },
  },
  delivered: {
    en: {
      subject: 'Your pickup is complete',
      body: '{company}: {awb} was picked up. Proof of pickup: {link}',
    },
    ro: {
      subject: 'Ridicarea este finalizata',
      body: '{company}: {awb} a fost ridicat. Dovada ridicarii: {link}',
    },
  },
  failed: {
    en: {
      subject: 'We could not pick up',
      body: '{company}: we could not pick up {awb}. {reason} Details: {link}',
    },
    ro: {
      subject: 'Nu am putut ridica',
      body: '{company}: nu am putut ridica {awb}. {reason} Detalii: {link}',
    },
  },
  windowChanged: {
    en: {
      subject: 'The time of your pickup has changed',
      body: '{company}: we will now pick up {awb} {window}. Details: {link}',
    },
    ro: {
      subject: 'Ora ridicarii s-a schimbat',
      body: '{company}: {awb} va fi ridicat acum {window}. Detalii: {link}',
    },
  },
}

const inBraces = /\{([^{}]*)\}/g
const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name)

/** The first thing in braces that is not known; undefined if all are. */
export const findUnknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(inBraces)].map(([, name = '']) => name).find((name) => !isPlaceholder(name))

export type Values = Record<Placeholder, string>

/**
 * Puts the values into a text. In an SMS they lose what only they bring in from outside the GSM alphabet: a name such as
 * Ștefan would double the price of the message. A text that has such letters itself keeps them all.
 */
export function fillText(text: string, values: Values, channel: ChannelName): string {
  const isShortened = channel === 'sms' && isGsm(text.replace(inBraces, ''))
  const fill = (name: Placeholder) => {
    // The link is filled in later, and only where the text has it: not in a name that somebody typed.
    const value = name === 'link' ? values.link : values[name].replaceAll('{', '(').replaceAll('}', ')')
    return isShortened ? toGsm(value) : value
  }
  const filled = text.replace(inBraces, (whole, name: string) => (isPlaceholder(name) ? fill(name) : whole))
  // A value that is missing leaves two spaces behind.
  return filled.replace(/ {2,}/g, ' ').trim()
}

/** Whether a text says a time that is known: “soon” is none. */
export const tellsTime = (text: string, known: { eta: boolean; window: boolean }) =>
  (known.eta && text.includes('{eta}')) || (known.window && text.includes('{window}'))

/** Stands in a message that waits: our own address is certain only when it is sent. */
export const linkToCome = '{link}'
export const fillLink = (text: string, link: string) => text.replaceAll(linkToCome, () => link)

/** For a preview without a task. */
export const sampleValues: Record<Language, Omit<Values, 'company'>> = {
  en: {
    customer: 'Maria Ionescu',
    awb: 'WB-1042',
    driver: 'Andrei',
    eta: '14:30',
    window: '14:00-16:00',
    stops: '2',
    reason: 'Nobody at home.',
    link: '',
  },
  ro: {
    customer: 'Maria Ionescu',
    awb: 'WB-1042',
    driver: 'Andrei',
    eta: '14:30',
    window: '14:00-16:00',
    stops: '2',
    reason: 'Nimeni acasa.',
    link: '',
  },
}
