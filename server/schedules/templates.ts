import { Refusal } from '../../contract/errors.ts'
import { mostTemplates } from '../../contract/limits.ts'
import type { TemplateInput, TemplateUpdate } from '../../contract/schedule.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import { requireTask } from './input.ts'
import {
  deleteTemplate as deleteRow,
  insertTemplate,
  lockTemplate,
  saveTemplate,
  type TemplateFields,
  type TemplateRow,
} from './queries.ts'

/* Tasks to start from. What a template has must be possible for a task, what it has not is filled in later. */

/** Stands for the address of a template without one. */
const somewhere = { lat: 0, lng: 0 }

export const createTemplate = (context: Context, organisation: Organisation, { name, task }: TemplateInput) =>
  context.db.transaction(async (db): Promise<TemplateRow> => {
    const organisationId = organisation.id
    await requireTask(context, db, organisation, { address: somewhere, ...task })
    const row = await insertTemplate(db, organisationId, { name: name.trim(), task }, mostTemplates)
    if (!row) throw new Refusal('TOO_MANY_ITEMS', { message: `There can be at most ${mostTemplates} templates` })
    const changes = tellChanges(null, tellTemplate(row), personal)
    await recordAudit(context, db, organisationId, [{ kind: 'template.created', subjectId: row.id, changes }])
    return row
  })

export const updateTemplate = (context: Context, organisation: Organisation, id: number, input: TemplateUpdate) =>
  context.db.transaction(async (db): Promise<TemplateRow> => {
    const organisationId = organisation.id
    const before = await lockTemplate(db, organisationId, id)
    if (!before) throw new Refusal('TEMPLATE_NOT_FOUND')
    const after = { name: input.name?.trim() ?? before.name, task: input.task ?? before.task }
    if (input.task) await requireTask(context, db, organisation, { address: somewhere, ...input.task })
    const changes = tellChanges(tellTemplate(before), tellTemplate(after), personal)
    if (changes.length > 0)
      await recordAudit(context, db, organisationId, [{ kind: 'template.changed', subjectId: id, changes }])
    return saveTemplate(db, organisationId, id, after)
  })

export const deleteTemplate = (context: Context, organisationId: number, id: number) =>
  context.db.transaction(async (db) => {
    const before = await lockTemplate(db, organisationId, id)
    if (!before) throw new Refusal('TEMPLATE_NOT_FOUND')
    await deleteRow(db, organisationId, id)
    const changes = tellChanges(tellTemplate(before), null, personal)
    await recordAudit(context, db, organisationId, [{ kind: 'template.deleted', subjectId: id, changes }])
  })

const tellTemplate = ({ name, task }: TemplateFields) => ({ name, task })
const personal = ['name', 'task']
