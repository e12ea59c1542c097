import type { Cause } from '../../../message-rules/causes.ts'
import type { MessageText } from '../../../message-rules/texts.ts'
import type { messageWords as english } from '../../en/server/messages.ts'
import type { Translation } from '../../say.ts'

export const standardTexts: Record<Cause, MessageText> = {
  onItsWay: {
    subject: 'Livrarea ta este pe drum',
    body: '{company}: livrarea {awb} este pe drum, sosire estimata {eta}. Urmareste: {link}',
  },
  nextStop: {
    subject: 'Urmeaza livrarea ta',
    body: '{company}: soferul {driver} ajunge in curand la tine, sosire estimata {eta}. Urmareste: {link}',
  },
  arrived: { subject: 'Soferul a ajuns', body: '{company}: soferul {driver} a ajuns cu livrarea {awb}.' },
  delivered: {
    subject: 'Livrarea ta este finalizata',
    body: '{company}: {awb} a fost livrat. Dovada livrarii: {link}',
  },
  failed: {
    subject: 'Nu am putut livra',
    body: '{company}: nu am putut livra {awb}. {reason} Detalii: {link}',
  },
  windowChanged: {
    subject: 'Ora livrarii s-a schimbat',
    body: '{company}: {awb} va ajunge acum {window}. Detalii: {link}',
  },
}

export const pickupTexts: Record<Cause, MessageText> = {
  onItsWay: {
    subject: 'Soferul este pe drum spre tine',
    body: '{company}: soferul este pe drum sa ridice {awb}, sosire estimata {eta}. Urmareste: {link}',
  },
  nextStop: { ...standardTexts.nextStop, subject: 'Urmeaza ridicarea de la tine' },
  arrived: { subject: 'Soferul a ajuns', body: '{company}: soferul {driver} a ajuns sa ridice {awb}.' },
  delivered: {
    subject: 'Ridicarea este finalizata',
    body: '{company}: {awb} a fost ridicat. Dovada ridicarii: {link}',
  },
  failed: {
    subject: 'Nu am putut ridica',
    body: '{company}: nu am putut ridica {awb}. {reason} Detalii: {link}',
  },
  windowChanged: {
    subject: 'Ora ridicarii s-a schimbat',
    body: '{company}: {awb} va fi ridicat acum {window}. Detalii: {link}',
  },
}

export const messageWords = {
  soon: 'in curand',
  from: 'de la {time}',
  until: 'pana la {time}',
  sampleReason: 'Nimeni acasa.',
} as const satisfies Translation<typeof english>
