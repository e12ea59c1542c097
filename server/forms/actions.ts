import { type ErrorDetail, Refusal } from '../../contract/errors.ts'
import type { FormInput, FormUpdate } from '../../contract/form.ts'
import { mostForms } from '../../contract/limits.ts'
import { refusalOf } from '../../contract/read/refusal.ts'
import type { FormField } from '../../core/form.ts'
import { tellChanges } from '../audit/changes.ts'
import { type Acting, recordAudit } from '../audit/record.ts'
import type { Db } from '../db/db.ts'
import { markRulesChanged } from '../organisations/queries.ts'
import { clearDefault, type FormParts, type FormRow, findForm, insertForm, removeForm, saveForm } from './queries.ts'

/*
 * A changed or deleted form changes no task: answers stay as they were given, and from now on the new fields are asked
 * for. What a phone brings from before is kept, which is why every change is marked.
 */

export const createForm = (by: Acting, organisationId: number, { name = 'Form', isDefault, fields }: FormInput) =>
  change(by.db, organisationId, async (db) => {
    const parts = { name, fields: readFields(fields), is_default: isDefault ?? false }
    if (parts.is_default) await clearDefault(db, organisationId)
    const form = await insertForm(db, organisationId, parts)
    if (!form) throw new Refusal('TOO_MANY_ITEMS', { message: `An organisation can have at most ${mostForms} forms` })
    const changes = tellChanges(null, tellForm(form))
    await recordAudit(by, db, organisationId, [{ kind: 'form.created', subjectId: form.id, changes }])
    return form
  })

export const updateForm = (by: Acting, organisationId: number, id: number, { name, isDefault, fields }: FormUpdate) =>
  change(by.db, organisationId, async (db): Promise<FormRow> => {
    const before = await findForm(db, organisationId, id)
    if (!before) throw new Refusal('FORM_NOT_FOUND')
    const parts: FormParts = {
      name: name ?? before.name,
      fields: fields ? readFields(fields) : before.fields,
      is_default: isDefault ?? before.is_default,
    }
    if (parts.is_default && !before.is_default) await clearDefault(db, organisationId)
    const changes = tellChanges(tellForm(before), tellForm(parts))
    if (changes.length > 0)
      await recordAudit(by, db, organisationId, [{ kind: 'form.changed', subjectId: id, changes }])
    return saveForm(db, organisationId, id, parts)
  })

export const deleteForm = (by: Acting, organisationId: number, id: number) =>
  change(by.db, organisationId, async (db) => {
    const before = await findForm(db, organisationId, id)
    if (!before || (await removeForm(db, organisationId, id)) === 0) throw new Refusal('FORM_NOT_FOUND')
    const changes = tellChanges(tellForm(before), null)
    await recordAudit(by, db, organisationId, [{ kind: 'form.deleted', subjectId: id, changes }])
  })

/** What the audit log compares. */
const tellForm = ({ name, is_default, fields }: FormParts) => ({ name, isDefault: is_default, fields })

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
