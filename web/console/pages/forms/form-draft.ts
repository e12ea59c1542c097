import type { FieldType, Moment } from '../../../../core/form.ts'
import { fold } from '../../../../core/search.ts'
import type { Form } from '../../../api/data.ts'

/** A field as its controls hold it. */
export interface FieldDraft {
  /** Tells fields apart while they are moved; not part of the form. */
  id: number
  field_key: string
  label: string
  labels: Record<string, string>
  type: FieldType
  required: boolean
  /** One choice per line. */
  choices: string
  at: Moment
}

export const newField = (id: number): FieldDraft => ({
  id,
  field_key: '',
  label: '',
  labels: {},
  type: 'text',
  required: false,
  choices: '',
  at: 'complete',
})

export const draftFields = ({ fields }: Form): FieldDraft[] =>
  fields.map((field, id) => ({ ...field, id, choices: field.choices.join('\n') }))

/** The fields as the server takes them. */
export function readFields(drafts: readonly FieldDraft[]) {
  const taken = new Set(drafts.map(({ field_key }) => field_key.trim()).filter(Boolean))
  return drafts.map(({ id: _, field_key, label, labels, choices, ...rest }) => {
    const key = field_key.trim() || freeKey(label, taken)
    taken.add(key)
    return {
      ...rest,
      field_key: key,
      label: label.trim(),
      labels: Object.fromEntries(
        Object.entries(labels).flatMap(([code, text]) => (text.trim() ? [[code, text.trim()]] : [])),
      ),
      choices: choices.split('\n').flatMap((choice) => choice.trim() || []),
    }
  })
}

/** “Cine a primit?” becomes `cine_a_primit`, or `cine_a_primit_2` if that is taken. */
function freeKey(label: string, taken: ReadonlySet<string>): string {
  const key =
    fold(label)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40) || 'field'
  let free = key
  for (let n = 2; taken.has(free); n += 1) free = `${key}_${n}`
  return free
}

/** The list with one item a place further up or down. */
export function moveItem<Item>(items: readonly Item[], at: number, by: -1 | 1): Item[] {
  const moved = [...items]
  moved.splice(at + by, 0, ...moved.splice(at, 1))
  return moved
}
