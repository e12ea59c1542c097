import type { Company } from '../../contract/company.ts'
import { Succeeded } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Known, type Row, table } from '../db/table.ts'

export const partners = table('partners', {
  organisation_id: 'bigint',
  partner_id: 'bigint',
  agreed_at: 'timestamptz?',
  they_agreed_at: 'timestamptz?',
  company: 'jsonb?',
  user_id: 'bigint?',
})
export type PartnerRow = Known<Row<typeof partners>, { company: Company | null }>

/** Tasks of former partners, or taken back, whose personal data goes (server/erasure). */
export const leavingTasks = table('leaving_tasks', { organisation_id: 'bigint', task_id: 'bigint', at_once: 'boolean' })

/** Those with whom there is something; one that both sides ended is only kept for the tasks that name it. */
export const listPartners = (db: Db, organisationId: number, afterId: number, limit: number) =>
  db.many<PartnerRow & { id: number }>(sql`
    select *, partner_id as id from partners
    where organisation_id = ${organisationId} and partner_id > ${afterId}
      and (agreed_at is not null or they_agreed_at is not null)
    order by partner_id
    limit ${limit}`)

/** Agrees. Undefined if the organisation has agreed with as many as it may. */
export const agree = (db: Db, organisationId: number, partnerId: number, most: number) =>
  db.find<PartnerRow>(sql`
    insert into partners as p (organisation_id, partner_id, agreed_at)
    select ${organisationId}, ${partnerId}, now()
    where (
      select count(*) from partners
      where organisation_id = ${organisationId} and agreed_at is not null and partner_id <> ${partnerId}) < ${most}
    on conflict (organisation_id, partner_id) do update set agreed_at = coalesce(p.agreed_at, excluded.agreed_at)
    returning *`)

/** Takes it back. 0 if there was nothing to take back. */
export const disagree = (db: Db, organisationId: number, partnerId: number) =>
  db.run(sql`
    update partners set agreed_at = null
    where organisation_id = ${organisationId} and partner_id = ${partnerId}
      and (agreed_at is not null or they_agreed_at is not null)`)

/** With the organisation's own handle: another one agreed, and is called so. Writes nothing if the organisation does not exist. */
export const noteAgreement = (db: Db, organisationId: number, company: Company) =>
  db.run(sql`
    insert into partners as p (organisation_id, partner_id, they_agreed_at, company)
    select id, ${company.id}, now(), ${JSON.stringify(company)}::jsonb from organisations where id = ${organisationId}
    on conflict (organisation_id, partner_id) do update
    set they_agreed_at = coalesce(p.they_agreed_at, excluded.they_agreed_at), company = excluded.company`)

/** The other one ended it: nobody is asked any more, and nobody was. */
export const noteEnd = (db: Db, organisationId: number, partnerId: number) =>
  db.run(sql`
    update partners set they_agreed_at = null, agreed_at = null
    where organisation_id = ${organisationId} and partner_id = ${partnerId}`)

/** Who never agreed leaves nothing behind: those who can be asked have no end. */
export const forgetAsked = (db: Db, organisationId: number, partnerId: number) =>
  db.run(sql`
    delete from partners
    where organisation_id = ${organisationId} and partner_id = ${partnerId} and agreed_at is null and company is null`)

/** Who is named as the author of what a partner adds to shared tasks; created when it is first needed. */
export async function partnerAuthor(db: Db, organisationId: number, partnerId: number): Promise<number> {
  const known = await db.find<Pick<PartnerRow, 'user_id'>>(sql`
    select user_id from partners where organisation_id = ${organisationId} and partner_id = ${partnerId}`)
  if (known?.user_id) return known.user_id
  const row = await db.get<PartnerRow>(sql`
    select * from partners where organisation_id = ${organisationId} and partner_id = ${partnerId} for update`)
  if (row.user_id !== null) return row.user_id
  const { id } = await db.get<{ id: number }>(sql`
    insert into users (organisation_id, name, active) values (${organisationId}, ${row.company?.name ?? ''}, false)
    returning id`)
  await db.run(sql`
    update partners set user_id = ${id} where organisation_id = ${organisationId} and partner_id = ${partnerId}`)
  return id
}

/** Two that both agree, so that neither ends it before the transaction does. */
export const holdPartnership = (db: Db, organisationId: number, partnerId: number) =>
  db.find<PartnerRow>(sql`
    select * from partners
    where organisation_id = ${organisationId} and partner_id = ${partnerId}
      and agreed_at is not null and they_agreed_at is not null
    for share`)

/** Whether both agree. */
export const arePartners = async (db: Db, organisationId: number, partnerId: number) =>
  (await db.find<object>(sql`
    select from partners
    where organisation_id = ${organisationId} and partner_id = ${partnerId}
      and agreed_at is not null and they_agreed_at is not null`)) !== undefined

/** Those who may know what the organisation is called. */
export const listAgreed = async (db: Db, organisationId: number) =>
  (
    await db.many<{ partner_id: number }>(sql`
      select partner_id from partners
      where organisation_id = ${organisationId} and agreed_at is not null
      order by partner_id`)
  ).map(({ partner_id }) => partner_id)

/** Whether open tasks are shared with anybody, as owner or as fulfiller; or, if so asked, some that have amounts with decimals. */
export const sharesOpenTasks = async (db: Db, organisationId: number, withDecimals: boolean) =>
  (await db.find<object>(sql`
    select from tasks
    where organisation_id = ${organisationId} and status_id < ${Succeeded} and deleted_at is null
      and (owner_id is not null or fulfiller_id is not null)
      and (not ${withDecimals} or total_price_hundredths <> 0 or left_to_be_paid_hundredths <> 0)
    limit 1`)) !== undefined

/** What a former partner gave is erased some time after its end. */
export const letTasksGo = (db: Db, organisationId: number, partnerId: number) =>
  db.run(sql`
    insert into leaving_tasks (organisation_id, task_id, at_once)
    select organisation_id, id, false from tasks
    where organisation_id = ${organisationId} and owner_id = ${partnerId} and erased_at is null
    on conflict do nothing`)

/** Partners again: what has not been erased yet may stay. */
export const keepTasks = (db: Db, organisationId: number, partnerId: number) =>
  db.run(sql`
    delete from leaving_tasks l
    using tasks t
    where l.organisation_id = ${organisationId} and not l.at_once
      and t.organisation_id = l.organisation_id and t.id = l.task_id and t.owner_id = ${partnerId}`)
