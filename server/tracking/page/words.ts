import type { Language } from '../../http/requests/language.ts'

/* Everything the page says: English, Romanian. */

const words = {
  planned: ['We have your order', 'Am primit comanda ta'],
  assigned: ['Planned', 'Planificată'],
  onTheWay: ['On its way', 'Pe drum spre tine'],
  pickupOnTheWay: ['Your courier is on the way', 'Curierul este pe drum'],
  arrived: ['Your courier has arrived', 'Curierul a ajuns'],
  done: ['Delivered', 'Livrat'],
  pickupDone: ['Picked up', 'Ridicat'],
  failed: ['Not delivered', 'Nu a fost livrat'],
  pickupFailed: ['Not picked up', 'Nu a fost ridicat'],

  today: ['Today', 'Astăzi'],
  tomorrow: ['Tomorrow', 'Mâine'],
  yesterday: ['Yesterday', 'Ieri'],
  at: ['{day} at {time}', '{day} la {time}'],
  after: ['after {time}', 'după {time}'],
  before: ['before {time}', 'până la {time}'],
  expected: ['Expected', 'Sosire estimată'],
  yourWindow: ['your window is {window}', 'intervalul tău este {window}'],
  windowIs: ['{day} · your window', '{day} · intervalul tău'],
  noTime: ['The time is not known yet.', 'Ora nu este cunoscută încă.'],
  late: ['This is late, and the new time is not known yet.', 'Întârzie, iar noua oră nu este cunoscută încă.'],
  youAreNext: ['You are next', 'Urmezi tu'],
  deliverTo: ['Delivery to', 'Livrare la'],
  pickupFrom: ['Pickup from', 'Ridicare de la'],
  parcel: ['Parcel', 'Colet'],

  vehicle1: ['On foot', 'Pe jos'],
  vehicle2: ['Bicycle', 'Bicicletă'],
  vehicle3: ['Motorcycle', 'Motocicletă'],
  vehicle4: ['Car', 'Mașină'],
  vehicle5: ['Van', 'Dubă'],
  vehicle6: ['Truck', 'Camion'],

  call: ['Call', 'Sună'],
  message: ['Message', 'Mesaj'],
  privacy: [
    'You can see where {name} is only while your order is on its way.',
    'Poziția curierului se vede doar cât timp comanda ta este pe drum.',
  ],

  pickupPrivacy: [
    'You can see where {name} is only while they are on the way to you.',
    'Poziția curierului se vede doar cât timp este pe drum spre tine.',
  ],

  instructions: ['Instructions for the courier', 'Instrucțiuni pentru curier'],
  yourInstructions: ['Your instructions', 'Instrucțiunile tale'],
  addInstructions: ['Add something', 'Adaugă ceva'],
  instructionsHint: ['Intercom, floor, where to leave it', 'Interfon, etaj, unde să fie lăsat'],
  pickupInstructionsHint: ['Intercom, floor, where to find it', 'Interfon, etaj, unde se află'],
  save: ['Save', 'Salvează'],

  receivedBy: ['Received by {name}', 'Primit de {name}'],
  handedOverBy: ['Handed over by {name}', 'Predat de {name}'],
  proofAsPdf: ['Proof as PDF', 'Dovada ca PDF'],
  photo: ['Photo of the delivery', 'Fotografie de la livrare'],
  pickupPhoto: ['Photo of the pickup', 'Fotografie de la ridicare'],
  reason: ['Reason: {reason}', 'Motiv: {reason}'],

  howWasIt: ['How was the delivery?', 'Cum a fost livrarea?'],
  howWasPickup: ['How was the pickup?', 'Cum a fost ridicarea?'],
  howWereWe: ['How was our service?', 'Cum a fost serviciul nostru?'],
  rating1: ['1: very bad', '1: foarte slab'],
  rating2: ['2: bad', '2: slab'],
  rating3: ['3: all right', '3: acceptabil'],
  rating4: ['4: good', '4: bun'],
  rating5: ['5: very good', '5: foarte bun'],
  comment: ['A word about it, if you like', 'Câteva cuvinte, dacă vrei'],
  send: ['Send', 'Trimite'],
  optOut: ['Stop messages from this company', 'Nu mai vreau mesaje de la această firmă'],
  optIn: ['Get messages again', 'Vreau din nou mesaje'],
  thanks: ['Thank you for your feedback', 'Îți mulțumim pentru evaluare'],
  yourRating: ['{rating} of 5', '{rating} din 5'],
  closes: ['This page closes {when}.', 'Pagina se închide {when}.'],
  closesAt: ['{day} at {time}', '{day} la {time}'],

  live: ['Live', 'Live'],
  updated: ['updated at {time}', 'actualizat la {time}'],
  asOf: ['As of {time}', 'Actualizat la {time}'],
  notLive: ['Not live since {time}', 'Fără date noi de la {time}'],
  showNewest: ['Show the newest', 'Actualizează'],
  showMap: ['Show on the map', 'Arată pe hartă'],
  mapFailed: ['The map could not be loaded', 'Harta nu a putut fi încărcată'],
  here: ['Your address', 'Adresa ta'],

  refused: ['This could not be saved. Please try again.', 'Nu s-a putut salva. Încearcă din nou.'],
  refusedINSTRUCTIONS_CLOSED: [
    'The courier is already there, so this was not saved.',
    'Curierul a ajuns deja, așa că textul nu a fost salvat.',
  ],
  refusedFEEDBACK_GIVEN: ['You have already rated this.', 'Ai trimis deja o evaluare.'],
} as const satisfies Record<string, readonly [en: string, ro: string]>

export type Word = keyof typeof words
export type Say = (word: Word, given?: Record<string, string | number>) => string

export const isWord = (text: string): text is Word => Object.hasOwn(words, text)

export const sayIn =
  (language: Language): Say =>
  (word, given = {}) =>
    words[word][language === 'ro' ? 1 : 0].replace(/\{(\w+)\}/g, (_, name) => String(given[name] ?? ''))

/** Romanian counts differently from twenty on: 19 opriri, 20 de opriri. */
const stops: Record<Language, Partial<Record<Intl.LDMLPluralRule, string>>> = {
  en: { one: '{count} stop before you', other: '{count} stops before you' },
  ro: { one: 'O oprire înaintea ta', few: '{count} opriri înaintea ta', other: '{count} de opriri înaintea ta' },
}
const plurals = { en: new Intl.PluralRules('en'), ro: new Intl.PluralRules('ro') }

export const sayStops = (language: Language, count: number) =>
  (stops[language][plurals[language].select(count)] ?? '').replace('{count}', String(count))
