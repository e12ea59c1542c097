import { type Answer, type FormField, readAnswers } from '../../core/form.ts'
import type { Task } from '../api/data.ts'

export interface ShownAnswer {
  key: string
  label: string
  answer: Answer
  /** The path of a picture. */
  image: string | undefined
}

/** The label of a field, or of a reason, in a language. */
export const labelIn = ({ label, labels }: Pick<FormField, 'label' | 'labels'>, language: string) =>
  labels[language] ?? label

/** What a driver answered, in the order of the form; answers to questions no longer in it come last, by their keys. */
export function answersOf(
  { mobileTaskForm }: Pick<Task, 'mobileTaskForm'>,
  fields: readonly FormField[],
  language: string,
): ShownAnswer[] {
  const place = (key: string) => fields.findIndex(({ field_key }) => field_key === key) + 1 || fields.length + 1
  return readAnswers(mobileTaskForm)
    .toSorted((one, other) => place(one.field_key) - place(other.field_key))
    .map(({ field_key, answer }) => {
      const field = fields.find((one) => one.field_key === field_key)
      const isImage = typeof answer === 'string' && answer.startsWith('/files/') && (!field || field.type === 'photo')
      return {
        key: field_key,
        label: field ? labelIn(field, language) : field_key,
        answer,
        image: isImage ? answer : undefined,
      }
    })
}
