import type { Language } from '../http/requests/language.ts'

/* What proofs of delivery say, in English and Romanian. */

export const words = {
  proofOfDelivery: ['Proof of delivery', 'Dovada livrării'],
  proofOfPickup: ['Proof of pickup', 'Dovada ridicării'],
  recordOfDelivery: ['Record of a delivery attempt', 'Consemnarea încercării de livrare'],
  recordOfPickup: ['Record of a pickup attempt', 'Consemnarea încercării de ridicare'],
  proofs: ['Proofs of delivery', 'Dovezi de livrare'],
  delivered: ['Delivered', 'Livrat'],
  pickedUp: ['Picked up', 'Ridicat'],
  notDelivered: ['Not delivered', 'Nelivrat'],
  notPickedUp: ['Not picked up', 'Neridicat'],
  notEnded: ['Not finished yet', 'Nefinalizat încă'],
  notFound: ['No such task', 'Comandă inexistentă'],
  customer: ['Customer', 'Client'],
  receivedBy: ['Received by', 'Primit de'],
  handedOverBy: ['Handed over by', 'Predat de'],
  address: ['Address', 'Adresă'],
  deliveredAt: ['Delivered at', 'Livrat la'],
  pickedUpAt: ['Picked up at', 'Ridicat la'],
  triedAt: ['Attempted at', 'Încercare la'],
  recordedAt: ['Recorded at', 'Înregistrat la'],
  arrivedAt: ['Driver arrived at', 'Șoferul a ajuns la'],
  window: ['Agreed time', 'Interval convenit'],
  driver: ['Driver', 'Șofer'],
  enteredBy: ['Entered by', 'Introdus de'],
  office: ['The office', 'Dispecerat'],
  place: ['Place of the driver', 'Poziția șoferului'],
  distance: ['{place} ({distance} from the address)', '{place} (la {distance} de adresă)'],
  reason: ['Reason', 'Motiv'],
  quantity: ['Items', 'Colete'],
  details: ['Contents', 'Conținut'],
  price: ['To be paid', 'De plată'],
  paid: ['Paid', 'Plătit'],
  cash: ['cash', 'numerar'],
  card: ['card', 'card'],
  other: ['other', 'altă metodă'],
  scanned: ['Scanned', 'Scanat'],
  yes: ['Yes', 'Da'],
  no: ['No', 'Nu'],
  photo: ['Photo', 'Fotografie'],
  signature: ['Signature', 'Semnătură'],
  signatureOf: ['Signature: {name}', 'Semnătura: {name}'],
  notSent: [
    'The phone of the driver has not sent this picture yet.',
    'Telefonul șoferului nu a trimis încă această imagine.',
  ],
  lost: ['This picture is no longer stored.', 'Această imagine nu mai este stocată.'],
  unreadable: ['This picture cannot be read.', 'Această imagine nu poate fi citită.'],
  morePictures: ['Not printed here: {n} more pictures.', 'Imagini netipărite aici: {n}.'],
  time: ['Time', 'Ora'],
  result: ['Result', 'Rezultat'],
  awb: ['AWB', 'AWB'],
  made: ['Made on {time}. Times are in {zone}.', 'Întocmit la {time}. Orele sunt în fusul {zone}.'],
  zone: ['Times are in {zone}.', 'Orele sunt în fusul {zone}.'],
  until: ['This page can be opened until {time}.', 'Pagina poate fi deschisă până la {time}.'],
  asPdf: ['Save as PDF', 'Salvează ca PDF'],
  page: ['Page {page} of {pages}', 'Pagina {page} din {pages}'],
} as const satisfies Record<string, readonly [en: string, ro: string]>

export type Say = (word: keyof typeof words, values?: Record<string, string | number>) => string

export const sayIn =
  (language: Language): Say =>
  (word, values = {}) =>
    words[word][language === 'en' ? 0 : 1].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
