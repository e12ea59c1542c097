import { mostForms } from '../../contract/limits.ts'
import type { FormField } from '../../core/form.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Known, type Row, table } from '../db/table.ts'
import { everything } from '../http/answers/cursor.ts'

export const forms = table('forms', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  fields: 'jsonb',
  is_default: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
})
export type FormRow = Known<Row<typeof forms>, { fields: FormField[] }>
export type FormParts = Pick<FormRow, 'name' | 'fields' | 'is_default'>

export const listForms = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<FormRow>(sql`
    select * from forms where organisation_id = ${organisationId} and id > ${afterId} order by id limit ${limit}`)

export const findForm = (db: Db, organisationId: number, id: number) =>
  db.find<FormRow>(sql`select * from forms where organisation_id = ${organisationId} and id = ${id}`)

/** The form of a task; `formOf` in core says the same of a list. */
export const findFormOf = (db: Db, organisationId: number, formId: number | null) =>
  db.find<FormRow>(sql`
    select * from forms
    where organisation_id = ${organisationId} and (id = ${formId}::bigint or is_default)
    order by id is distinct from ${formId}::bigint
    limit 1`)

export const findFormIds = async (db: Db, organisationId: number, ids: number[]) =>
  (
    await db.many<{ id: number }>(sql`
      select id from forms where organisation_id = ${organisationId} and id = any(${ids}::bigint[])`)
  ).map(({ id }) => id)

/** Undefined if there are as many as there can be. */
export const insertForm = (db: Db, organisationId: number, { name, fields, is_default }: FormParts) =>
  db.find<FormRow>(sql`
    insert into forms (organisation_id, name, fields, is_default)
    select ${organisationId}, ${name}, ${JSON.stringify(fields)}::jsonb, ${is_default}
    where (select count(*) from forms where organisation_id = ${organisationId}) < ${mostForms}
    returning *`)

export const saveForm = (db: Db, organisationId: number, id: number, { name, fields, is_default }: FormParts) =>
  db.get<FormRow>(sql`
    update forms
    set name = ${name}, fields = ${JSON.stringify(fields)}::jsonb, is_default = ${is_default}, updated_at = now()
    where organisation_id = ${organisationId} and id = ${id}
    returning *`)

/** Another one becomes the default. */
export const clearDefault = (db: Db, organisationId: number) =>
  db.run(sql`
    update forms set is_default = false, updated_at = now()
    where organisation_id = ${organisationId} and is_default`)

export const removeForm = (db: Db, organisationId: number, id: number) =>
  db.run(sql`delete from forms where organisation_id = ${organisationId} and id = ${id}`)
