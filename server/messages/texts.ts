import { Refusal, unknownInBody } from '../../contract/errors.ts'
import type { MessagePreview, MessagePreviewInput, MessageText, MessageTextsInput } from '../../contract/message.ts'
import { type Cause, causeNames, causes, languageOf } from '../../core/message-rules/causes.ts'
import { measureSms } from '../../core/message-rules/sms.ts'
import {
  fillText,
  findUnknownPlaceholder,
  placeholders,
  sampleValues,
  type Values,
} from '../../core/message-rules/texts.ts'
import { sayIn } from '../../core/message-rules/times.ts'
import { settingsOf } from '../../core/settings.ts'
import { type Language, languageCodes } from '../../core/words/languages.ts'
import { tellChanges } from '../audit/changes.ts'
import { type NewEntry, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { reasonOf, textOf, valuesOf } from '../tasks/noted-messages/note.ts'
import { listOwnTexts } from '../tasks/noted-messages/queries.ts'
import { findTaskByAwb } from '../tasks/read/view.ts'
import type { TaskView } from '../tasks/tables.ts'
import { deleteTexts, saveTexts } from './queries.ts'

/** The texts of every cause in every language, and how long they are as SMS. */
export async function presentTexts(db: Db, organisation: Organisation, ownUrl: string): Promise<MessageText[]> {
  const own = await listOwnTexts(db, organisation.id)
  const settings = settingsOf(organisation)
  return causeNames.flatMap((cause) =>
    languageCodes.map((language) => {
      const written = own.find((one) => one.cause === cause && one.language === language)
      const [{ subject, body }, pickup] = [
        textOf(cause, language, false, written),
        textOf(cause, language, true, written),
      ]
      const sample = fillText(body, samplesFor(organisation, language, ownUrl), 'sms')
      return {
        cause,
        language,
        subject,
        text: body,
        pickup: { subject: pickup.subject, text: pickup.body },
        isStandard: !written,
        isOn: settings[causes[cause].setting] === true,
        sms: measureSms(sample),
      }
    }),
  )
}

/** A link as long as real ones. */
const samplesFor = ({ name }: Organisation, language: Language, ownUrl: string): Values => ({
  ...sampleValues,
  reason: sayIn(language)('sampleReason'),
  company: name,
  link: `${ownUrl}/t/${'x'.repeat(22)}`,
})

export async function updateTexts(context: Context, organisation: Organisation, { texts }: MessageTextsInput) {
  const read = texts.map(({ cause, language, text, subject }, index) => {
    requirePlaceholders(text ?? '', `texts.${index}.text`)
    requirePlaceholders(subject ?? '', `texts.${index}.subject`)
    return { cause: cause as Cause, language: language as Language, body: text, subject: subject ?? null }
  })
  // Of two texts for the same place the last counts, as if they had come one after the other.
  const last = new Map(read.map((one) => [`${one.cause} ${one.language}`, one]))
  const [standard, own] = [[...last.values()].filter(isStandard), [...last.values()].filter(isOwn)]
  await context.db.transaction(async (db) => {
    const before = await listOwnTexts(db, organisation.id)
    if (standard.length > 0) await deleteTexts(db, organisation.id, standard)
    if (own.length > 0) await saveTexts(db, organisation.id, own)
    const entries = [...last.values()].flatMap((text) => tellText(text, before))
    await recordAudit(context, db, organisation.id, entries)
  })
}

/** A text for the audit log, unless it is as it was. Without one of its own, a cause has the standard text: null. */
function tellText({ cause, language, subject, body }: Given, own: readonly Given[]): NewEntry[] {
  const was = own.find((one) => one.cause === cause && one.language === language)
  const before = { subject: was?.subject ?? null, text: was?.body ?? null }
  const changes = tellChanges(before, { subject: body === null ? null : subject, text: body })
  if (changes.length === 0) return []
  return [{ kind: 'text.changed', changes: [...tellChanges(null, { cause, language }), ...changes] }]
}

interface Given {
  cause: Cause
  language: Language
  subject: string | null
  body: string | null
}
const isOwn = (text: Given): text is Given & { body: string } => text.body !== null
const isStandard = (text: Given) => text.body === null

function requirePlaceholders(text: string, field: string) {
  const unknown = findUnknownPlaceholder(text)
  if (unknown === undefined) return
  const known = Object.keys(placeholders).map((name) => `{${name}}`)
  const message = `{${unknown}} is not a placeholder; there are ${known.join(', ')}`
  throw new Refusal('UNKNOWN_PLACEHOLDER', { field, message })
}

export interface Draft {
  language: Language
  subject: string
  /** As an email, and as SMS. */
  text: string
  sms: string
}

/** A message as a customer would get it: about a task, or with typical values. */
export async function draftMessage(
  { db, clock }: Context,
  organisation: Organisation,
  { cause: name, language: wanted, text, subject, awb }: MessagePreviewInput,
  ownUrl: string,
): Promise<Draft> {
  requirePlaceholders(text ?? '', 'text')
  requirePlaceholders(subject ?? '', 'subject')
  const cause = name as Cause
  const language = (wanted as Language) ?? languageOf(settingsOf(organisation).messageLanguage, organisation.country)
  const own = await listOwnTexts(db, organisation.id)
  const task = awb ? await getTask(db, organisation.id, awb) : undefined
  const written = own.find((one) => one.cause === cause && one.language === language)
  const saved = textOf(cause, language, task?.pickup_task ?? false, written)
  const values = task
    ? await valuesFor({ db, clock }, organisation, task, { language, ownUrl })
    : samplesFor(organisation, language, ownUrl)
  return {
    language,
    subject: fillText(subject ?? saved.subject, values, 'email'),
    text: fillText(text ?? saved.body, values, 'email'),
    sms: fillText(text ?? saved.body, values, 'sms'),
  }
}

async function getTask(db: Db, organisationId: number, awb: string): Promise<TaskView> {
  const task = await findTaskByAwb(db, organisationId, awb)
  if (!task) throw unknownInBody('TASK_NOT_FOUND', 'awb')
  return task
}

async function valuesFor(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  organisation: Organisation,
  task: TaskView,
  { language, ownUrl }: { language: Language; ownUrl: string },
): Promise<Values> {
  const now = clock.now()
  const reason = await reasonOf(db, organisation.id, task, language, now)
  return { ...valuesOf(organisation, task, { now, language, reason }), link: `${ownUrl}/t/${task.uuid}` }
}

export const presentPreview = ({ subject, text, sms }: Draft): MessagePreview => ({
  subject,
  text,
  sms: { text: sms, ...measureSms(sms) },
})
