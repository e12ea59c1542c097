import { type ErrorDetail, Refusal } from '../../contract/errors.ts'
import type { FormInput, FormUpdate } from '../../contract/form.ts'
import { mostForms } from '../../contract/limits.ts'
import { refusalOf } from '../../contract/read/refusal.ts'
import type { FormField } from '../../core/form.ts'
import type { Db } from '../db/db.ts'
import { markRulesChanged } from '../organisations/queries.ts'
import { clearDefault, type FormParts, type FormRow, findForm, insertForm, removeForm, saveForm } from './queries.ts'

/*
 * A changed or deleted form changes no task: answers stay as they were given, and from now on the new fields are asked
 * for. What a phone brings from before is kept, which is why every change is marked.
 */

export const createForm = (db: Db, organisationId: number, { name = 'Form', isDefault, fields }: FormInput) =>
  change(db, organisationId, async (db) => {
    const parts = { name, fields: readFields(fields), is_default: isDefault ?? false }
    if (parts.is_default) await clearDefault(db, organisationId)
    const form = await insertForm(db, organisationId, parts)
    if (!form) throw new Refusal('TOO_MANY_ITEMS', { message: `An organisation can have at most ${mostForms} forms` })
    return form
  })

export const updateForm = (db: Db, organisationId: number, id: number, { name, isDefault, fields }: FormUpdate) =>
  change(db, organisationId, async (db): Promise<FormRow> => {
    const before = await findForm(db, organisationId, id)
    if (!before) throw new Refusal('FORM_NOT_FOUND')
    const parts: FormParts = {
      name: name ?? before.name,
      fields: fields ? readFields(fields) : before.fields,
      is_default: isDefault ?? before.is_default,
    }
    if (parts.is_default && !before.is_default) await clearDefault(db, organisationId)
    return saveForm(db, organisationId, id, parts)
  })

export const deleteForm = (db: Db, organisationId: number, id: number) =>
  change(db, organisationId, async (db) => {
    if ((await removeForm(db, organisationId, id)) === 0) throw new Refusal('FORM_NOT_FOUND')
  })

/** The mark locks the organisation, so that changes come one after the other and one form at most is the default. */
const change = <Result>(db: Db, organisationId: number, work: (db: Db) => Promise<Result>) =>
  db.transaction(async (db) => {
    await markRulesChanged(db, organisationId)
    return work(db)
  })

/** Fields as they are kept, or a refusal that names every fault. */
function readFields(given: FormInput['fields']): FormField[] {
  const problems: ErrorDetail[] = []
  const refuse = (field: string, message: string) => problems.push({ field, code: 'VALIDATION_FAILED', message })
  const fields = given.map(({ labels = {}, required = false, at = 'complete', choices = [], ...field }, index) => {
    if (given.findIndex(({ field_key }) => field_key === field.field_key) < index)
      refuse(`fields.${index}.field_key`, `Two fields have the key ${field.field_key}`)
    if (field.type === 'choice' && choices.length === 0)
      refuse(`fields.${index}.choices`, `fields.${index}.choices must have at least 1 item`)
    return { ...field, labels, required, at, choices: field.type === 'choice' ? [...new Set(choices)] : [] }
  })
  if (problems.length > 0) throw refusalOf(problems)
  return fields
}
