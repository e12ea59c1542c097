import type { Answer } from '../../../../contract/operations.ts'
import type { Table } from '../../files/save.ts'
import type { Say, Word } from '../record-words.ts'
import type { SettingTexts } from '../setting-texts.ts'

/* An entry of the audit log in words. */

export type Entry = Answer<'listAudit'>['entries'][number]
export type Change = Entry['changes'][number]

/** What can be chosen, and the kinds it stands for, as the API takes them. */
export const choices = {
  auditSignIns:
    'person.signedIn,person.passwordWrong,person.passwordSet,person.signedOut,person.signedOutEverywhere,' +
    'driver.signedIn,driver.codeWrong,driver.signedOut,driver.deviceRemoved',
  auditPeople: 'person',
  auditDrivers: 'driver',
  auditAccess: 'key,webhook',
  auditSettings: 'company,text,form,reason,partner',
  auditTasks: 'task,payment,cash,conflict,schedule,template,holiday',
  auditExports: 'proof,proofLink,label,manifest,list',
  auditErasures: 'data',
  auditBackups: 'backup',
} as const satisfies Partial<Record<Word, string>>

/** A server that is newer than this page may have kinds it does not know. */
export const tellKind = (kind: string, say: Say) => say.known(kind) ?? kind

const actorWords: Record<string, Word> = {
  API: 'auditKey',
  SYSTEM: 'auditItself',
  COMMAND_LINE: 'auditCommandLine',
  NOBODY: 'auditNobody',
}

/** Who it was; of one without a name the number is left. */
export function tellActor({ type, id, name }: Entry['actor'], say: Say): string {
  const word = actorWords[type]
  if (word === undefined) return name ?? `#${id}`
  return type === 'API' ? `${say(word)}: ${name ?? `#${id}`}` : say(word)
}

/** What it was done to, unless that is the actor, or the organisation itself. An erasure is the number of its receipt. */
export function tellSubject({ subject, actor, changes }: Entry): string {
  if (subject.type === 'company' || subject.id === null) return ''
  if ((actor.type === 'ADMIN' || actor.type === 'DRIVER') && subject.id === actor.id && subject.name === actor.name)
    return ''
  const own = changes.find(({ field }) => field === 'name' || field === 'host' || field === 'code')
  const said = subject.name ?? own?.after ?? own?.before
  return typeof said === 'string' ? said : `#${subject.id}`
}

/** Fields that have a word of their own elsewhere. The others are called as in the API. */
const fieldWords: Record<string, Word> = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  teams: 'teams',
  statusId: 'state',
  awb: 'awb',
  details: 'details',
  quantity: 'quantity',
  totalPrice: 'totalPrice',
  // Of an erasure.
  reason: 'failureReason',
  tasks: 'auditTasks',
  hours: 'auditHours',
  driverId: 'driver',
  // Of a partnership.
  companyId: 'partnerNumberField',
  state: 'state',
}

export function tellField(field: string, settings: SettingTexts, say: Say): string {
  const word = fieldWords[field]
  if (word) return say(word)
  return Object.hasOwn(settings, field) ? settings[field as keyof SettingTexts].name : field
}

export function tellValue(field: string, value: unknown, settings: SettingTexts, say: Say): string {
  const choices = Object.hasOwn(settings, field) ? settings[field as keyof SettingTexts].choices : undefined
  if (choices && Object.hasOwn(choices, String(value))) return choices[String(value)] as string
  if (value === null || value === undefined || value === '') return '–'
  if (field === 'reason') return say.known(`erasure_${value}`) ?? String(value)
  if (field === 'state') return say.known(`partner_${value}`) ?? String(value)
  if (field === 'statusId') return say.known(`state${value}`) ?? String(value)
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A change in one line, for a file. */
function tellChange({ field, ...change }: Change, settings: SettingTexts, say: Say): string {
  const name = tellField(field, settings, say)
  const value = (of: 'before' | 'after') => tellValue(field, change[of], settings, say)
  if ('before' in change && 'after' in change) return `${name}: ${value('before')} → ${value('after')}`
  if ('after' in change) return `${name}: ${value('after')}`
  return 'before' in change ? `${name}: ${value('before')} →` : name
}

const columns: { word: Word; value: (entry: Entry, settings: SettingTexts, say: Say) => string | number }[] = [
  { word: 'auditActor', value: ({ actor }, _, say) => tellActor(actor, say) },
  { word: 'auditWhat', value: ({ kind }, _, say) => tellKind(kind, say) },
  { word: 'auditSubject', value: (entry) => tellSubject(entry) },
  {
    word: 'auditDetails',
    value: ({ changes }, settings, say) => changes.map((change) => tellChange(change, settings, say)).join('; '),
  },
  { word: 'auditCount', value: ({ count }) => count },
  { word: 'auditAddress', value: ({ address }) => address ?? '' },
  { word: 'auditProgram', value: ({ userAgent }) => userAgent ?? '' },
]

/** Entries as a table; `moment` writes their times, to the second. */
export const tableOf = (
  entries: readonly Entry[],
  settings: SettingTexts,
  say: Say,
  moment: (time: string) => string,
): Table => ({
  headers: [say('auditWhen'), ...columns.map(({ word }) => say(word)), 'kind'],
  rows: entries.map((entry) => [
    moment(entry.at),
    ...columns.map(({ value }) => value(entry, settings, say)),
    entry.kind,
  ]),
})
