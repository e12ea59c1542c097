import { fileIdIn, isFilePath } from '../../contract/file.ts'
import { formOf, readAnswers } from '../../core/form.ts'
import { distanceMetres } from '../../core/geo.ts'
import { amountOf } from '../../core/money.ts'
import { noteTypes } from '../../core/note-type.ts'
import { settingsOf } from '../../core/settings.ts'
import { isEnded, Succeeded } from '../../core/task-status.ts'
import type { Language } from '../../core/words/languages.ts'
import type { Organisation } from '../organisations/queries.ts'
import { totalPriceOf } from '../tasks/money.ts'
import type { NoteView } from '../tasks/tables.ts'
import type { Fact } from '../threads/paper.ts'
import { photosOf, signerOf } from '../tracking/present.ts'
import { formatsOf } from './formats.ts'
import type { StoredPicture } from './queries.ts'
import type { ProofSource } from './read.ts'
import { type Say, sayIn } from './words.ts'

/* The proof of one task in words: what the page and the PDF both show. */

/** The recipient gets what the tracking page shows: no signature that others could copy, nothing written for the office. */
export type Reader = 'sender' | 'recipient'

export interface ProofSheet {
  taskId: number
  awb: string
  title: string
  mark: { text: string; isGood: boolean }
  isEnded: boolean
  /** When it ended, in words. */
  time: string
  receivedBy: string
  facts: Fact[]
  pictures: ShownPicture[]
}

export interface ShownPicture {
  fileId: string
  stored: StoredPicture | undefined
  caption: string
  isSignature: boolean
}

export function describeProof(
  source: ProofSource,
  organisation: Organisation,
  language: Language,
  reader: Reader,
): ProofSheet {
  const { task } = source
  const say = sayIn(language)
  const { dateTime } = formatsOf(language, organisation.timezone, organisation.currency)
  const has = isEnded({ statusId: task.status_id })
  const isGood = task.status_id === Succeeded
  const receivedBy = signerOf(task) ?? ''
  const kind = task.pickup_task ? 'pickup' : 'delivery'
  return {
    taskId: task.id,
    awb: task.awb,
    title: say(isGood || !has ? kinds[kind].proof : kinds[kind].attempt),
    mark: { text: say(has ? kinds[kind][isGood ? 'good' : 'bad'] : 'notEnded'), isGood },
    isEnded: has,
    time: task.completed_at ? dateTime(task.completed_at) : '',
    receivedBy,
    facts: has ? factsOf(source, organisation, language, reader, receivedBy) : [],
    pictures: has ? picturesOf(source, say, language, reader) : [],
  }
}

const kinds = {
  delivery: {
    proof: 'proofOfDelivery',
    attempt: 'recordOfDelivery',
    good: 'delivered',
    bad: 'notDelivered',
    at: 'deliveredAt',
    by: 'receivedBy',
  },
  pickup: {
    proof: 'proofOfPickup',
    attempt: 'recordOfPickup',
    good: 'pickedUp',
    bad: 'notPickedUp',
    at: 'pickedUpAt',
    by: 'handedOverBy',
  },
} as const

function factsOf(
  { task, ending, paid, forms }: ProofSource,
  organisation: Organisation,
  language: Language,
  reader: Reader,
  receivedBy: string,
): Fact[] {
  const say = sayIn(language)
  const formats = formatsOf(language, organisation.timezone, organisation.currency)
  const words = kinds[task.pickup_task ? 'pickup' : 'delivery']
  const { completed_at: at, arrived_at, complete_after, complete_before, address } = task
  const price = totalPriceOf(task) ?? 0
  const driverName = task.driver?.name ?? task.fulfiller_driver
  // What a partner's driver did is told by the partner.
  const isOffice = ending !== undefined && ending.actor_type !== 'DRIVER' && ending.actor_type !== 'PARTNER'
  const time = at && formats.dateTime(at)
  const recorded = ending && formats.dateTime(ending.recorded_at)
  const seen: (Fact | false | null | '' | undefined)[] = [
    time && [say(task.status_id === Succeeded ? words.at : 'triedAt'), time],
    reader !== 'recipient' && recorded && recorded !== time && [say('recordedAt'), recorded],
    receivedBy && [say(words.by), receivedBy],
  ]
  const more: typeof seen = [
    task.cancel_reason && [say('reason'), task.cancel_reason],
    task.customer?.name ? [say('customer'), task.customer.name] : false,
    [say('address'), [address.address, address.address_second_line].filter(Boolean).join(', ')],
    arrived_at && [say('arrivedAt'), formats.dateTime(arrived_at)],
    complete_after && complete_before && [say('window'), formats.window(complete_after, complete_before)],
    driverName && [say('driver'), driverName],
    isOffice && [say('enteredBy'), say('office')],
    placeFact(task, organisation, say, formats.distance),
    task.quantity !== null && [say('quantity'), String(task.quantity)],
    task.details.trim() && [say('details'), task.details],
    task.collect_payment && price > 0 && [say('price'), formats.money(price)],
    paid.length > 0 && [
      say('paid'),
      paid.map(({ hundredths, method }) => `${formats.money(amountOf(hundredths))} (${say(method)})`).join(', '),
    ],
    scansOf(task.notes) && [say('scanned'), scansOf(task.notes)],
  ]
  const answers = answersOf(task, forms, language).filter(({ answer }) => !isFilePath(String(answer)))
  return [
    ...seen,
    ...(reader === 'recipient' ? [] : more),
    ...(reader === 'recipient' ? [] : answers.map(({ label, answer }): Fact => [label, answerInWords(answer, say)])),
  ].filter((fact) => !!fact)
}

/** Where the driver stood at the end. How far that was from the address is left out where the address itself is a guess. */
function placeFact(
  { last_lat, last_lng, address }: ProofSource['task'],
  organisation: Organisation,
  say: Say,
  inWords: (metres: number) => string,
): Fact | false {
  if (last_lat === null || last_lng === null) return false
  const place = `${last_lat.toFixed(5)}, ${last_lng.toFixed(5)}`
  const isExact = address.precision === null || address.precision === 'exact'
  const isMoved = settingsOf(organisation).overwriteTaskLocation
  if (address.lat === null || address.lng === null || !isExact || isMoved) return [say('place'), place]
  const distance = distanceMetres({ lat: address.lat, lng: address.lng }, { lat: last_lat, lng: last_lng })
  return [say('place'), say('distance', { place, distance: inWords(distance) })]
}

const scansOf = (notes: NoteView[]) =>
  [...new Set(notes.filter(({ type }) => type === noteTypes.scan).map(({ note }) => note))].join(', ')

function answersOf({ form_id, mobile_task_form }: ProofSource['task'], forms: ProofSource['forms'], language: string) {
  const known = forms.map(({ id, is_default, fields }) => ({ id, isDefault: is_default, fields }))
  const fields = formOf({ formId: form_id }, known)?.fields ?? []
  return readAnswers(mobile_task_form).map(({ field_key, answer }) => {
    const field = fields.find((one) => one.field_key === field_key)
    return { label: field?.labels[language] ?? field?.label ?? field_key, answer }
  })
}

const answerInWords = (answer: string | number | boolean, say: Say) =>
  typeof answer === 'boolean' ? say(answer ? 'yes' : 'no') : String(answer)

function picturesOf({ task, forms, pictures }: ProofSource, say: Say, language: Language, reader: Reader) {
  const shown = (fileId: string, caption: string, isSignature = false): ShownPicture => ({
    fileId,
    stored: pictures.get(fileId),
    caption,
    isSignature,
  })
  if (reader === 'recipient')
    return task.status_id === Succeeded ? photosOf(task).map(({ file_id }) => shown(String(file_id), say('photo'))) : []
  const ofNotes = (wanted: number) =>
    task.notes.flatMap(({ type, file_id, note }) => (type === wanted && file_id ? [{ file_id, note }] : []))
  const answers = answersOf(task, forms, language).filter(({ answer }) => isFilePath(String(answer)))
  return [
    ...ofNotes(noteTypes.signature).map(({ file_id, note }) =>
      shown(file_id, note ? say('signatureOf', { name: note }) : say('signature'), true),
    ),
    ...ofNotes(noteTypes.photo).map(({ file_id, note }) => shown(file_id, note ?? say('photo'))),
    ...answers.map(({ label, answer }) => shown(fileIdIn(String(answer)), label)),
  ]
}
