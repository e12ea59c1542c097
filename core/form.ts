import { isFileName } from './file-id.ts'

/* Forms that drivers fill in: what is asked, what counts as an answer, and what is still missing. */

export const fieldTypes = ['text', 'number', 'choice', 'check', 'photo'] as const
export type FieldType = (typeof fieldTypes)[number]

/** When a field is asked for: before a task is completed, or before it is failed. */
export const moments = ['complete', 'fail'] as const
export type Moment = (typeof moments)[number]

/** The names are those of the answers in `mobileTaskForm`. */
export interface FormField {
  field_key: string
  label: string
  /** The label in other languages. */
  labels: Record<string, string>
  type: FieldType
  required: boolean
  choices: string[]
  at: Moment
}

export type Answer = string | number | boolean

/** An answer as it is kept, and as it comes: null takes it back. */
export interface Answered {
  field_key: string
  answer: Answer
}
export interface GivenAnswer {
  field_key: string
  answer: unknown
}

/** The form of a task: the one it names, unless that was deleted, otherwise the default one. */
export const formOf = <Form extends { id: number; isDefault: boolean }>(
  { formId }: { formId: number | null },
  forms: readonly Form[],
): Form | undefined => forms.find(({ id }) => id === formId) ?? forms.find(({ isDefault }) => isDefault)

const numeric = /^[+-]?(\d+\.?\d*|\.\d+)$/
const isFile = (answer: unknown): answer is string => typeof answer === 'string' && isFileName(answer)

/** How each type reads what was given; undefined if it cannot. */
const readers: Record<FieldType, (given: unknown, field: FormField) => Answer | undefined> = {
  text: (given) => (typeof given === 'string' ? given : undefined),
  number(given) {
    const number = typeof given === 'string' && numeric.test(given.trim()) ? Number(given) : given
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  },
  choice: (given, { choices }) => choices.find((choice) => choice === String(given)),
  check: (given) =>
    given === true || given === 'true' ? true : given === false || given === 'false' ? false : undefined,
  photo: (given) => (isFile(given) ? given : undefined),
}

const expected: Record<FieldType, (field: FormField) => string> = {
  text: () => 'text',
  number: () => 'a number',
  choice: ({ choices }) => `one of ${choices.join(', ')}`,
  check: () => 'true or false',
  photo: () => 'the id of a file',
}

/** What is wrong with these answers, each with its place in the list. */
export function findProblems(fields: readonly FormField[], given: readonly GivenAnswer[]) {
  return given.flatMap(({ field_key, answer }, at) => {
    const field = fields.find((one) => one.field_key === field_key)
    if (!field) return { at, name: 'field_key', message: `The form of this task has no field ${field_key}` }
    if (answer === null || readers[field.type](answer, field) !== undefined) return []
    return { at, name: 'answer', message: `The answer to ${field_key} must be ${expected[field.type](field)}` }
  })
}

/** Whether an answer is a picture. If its field is no longer in the form, the format of the answer decides. */
export const isPhoto = (fields: readonly FormField[], { field_key, answer }: GivenAnswer): boolean => {
  const field = fields.find((one) => one.field_key === field_key)
  return (!field || field.type === 'photo') && isFile(answer)
}

/** The answers with the new ones among them. What does not fit the form is kept as it came. */
export function addAnswers(
  fields: readonly FormField[],
  before: readonly Answered[],
  given: readonly GivenAnswer[],
): Answered[] {
  const all = new Map(before.map(({ field_key, answer }) => [field_key, answer]))
  for (const { field_key, answer } of given) {
    const field = fields.find((one) => one.field_key === field_key)
    const read = (field && readers[field.type](answer, field)) ?? asItCame(answer)
    if (read === undefined) all.delete(field_key)
    else all.set(field_key, read)
  }
  return [...all].map(([field_key, answer]) => ({ field_key, answer }))
}

function asItCame(answer: unknown): Answer | undefined {
  if (answer === null || answer === undefined) return undefined
  return typeof answer === 'object' ? JSON.stringify(answer) : (answer as Answer)
}

/** The fields that must be answered at this moment and are not. A check is answered by no as well as by yes. */
export const missingAnswers = (fields: readonly FormField[], answers: readonly Answered[], moment: Moment) =>
  fields.filter(({ field_key, required, at }) => {
    const given = answers.find((one) => one.field_key === field_key)?.answer
    return required && at === moment && (given === undefined || String(given).trim() === '')
  })

/** Answers as a task shows them: text, as the interface wants it. */
export const readAnswers = (mobileTaskForm: string | null): Answered[] =>
  mobileTaskForm === null ? [] : JSON.parse(mobileTaskForm)
export const writeAnswers = (answers: readonly Answered[]) => (answers.length === 0 ? null : JSON.stringify(answers))
