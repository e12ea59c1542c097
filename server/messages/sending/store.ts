import type { ChannelName } from '../../../core/message-rules/causes.ts'
import { firstWindow } from '../../../core/sending-window.ts'
import { contextOf, type Service, system } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { raw, sql } from '../../db/sql.ts'
import { columnList, unnest } from '../../db/table.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import type { Claimed, Result, Store } from '../../sending/parts.ts'
import { changeTasks } from '../../tasks/change/change.ts'
import { type MessageRow, messages } from '../../tasks/noted-messages/tables.ts'
import { lockTasks } from '../../tasks/read/lock.ts'
import type { TaskRow } from '../../tasks/tables.ts'
import { optOutKey } from '../queries.ts'
import { type Made, type MessageResult, presentResult, toldArrival } from './result.ts'

/**
 * Longer than for webhooks: a message whose claim has lapsed while it was being sent becomes `unknown`, and a person must
 * look at it. So a database that is silent for a moment must not look like a death.
 */
export const leaseSeconds = 5

const taskColumns = [
  'uuid',
  'id',
  'status_id',
  'driver_arrived',
  'arrived_at',
  'complete_after',
  'complete_before',
  'deleted_at',
  'send_notifications',
  'owner_id',
  'owner_task_id',
] as const satisfies (keyof TaskRow)[]

/** A message claimed by a worker, with everything that decides whether it is sent. */
export type ClaimedMessage = Claimed &
  MessageRow & {
    organisation: Organisation
    task: Pick<TaskRow, (typeof taskColumns)[number]> | null
    is_opted_out: boolean
  }

/** The engine's store on PostgreSQL. */
export const createMessageStore = (service: Service): Store<ClaimedMessage, Made, MessageResult> => ({
  claim: (token, limit, windows, ours) => claimMessages(service.database.hasty, token, limit, windows, ours),
  async complete(results) {
    for (const result of results) await completeMessage(service, result)
  },
  renew: async (claimed) => void (await renewClaims(service.database.hasty, claimed)),
  release: async (claimed) => void (await releaseClaims(service.database.hasty, claimed)),
})

/** Lanes are what the engine calls receivers: one for each organisation and channel, so that nobody waits for others. */
export const laneOf = (organisationId: number, channel: ChannelName) => organisationId * 2 + Number(channel === 'email')

/**
 * Takes what is due, lane by lane along the index, as many of each as its window leaves free. What was being sent when
 * its claim lapsed is taken, too: `attempt` declares it unknown.
 */
const claimMessages = (
  db: Db,
  token: string,
  limit: number,
  windows: ReadonlyMap<number, number>,
  ours: readonly string[],
) =>
  db.many<ClaimedMessage>(sql`
    with recursive lanes as (
      (
        select organisation_id, channel from messages
        where state in ('waiting', 'sending')
        order by organisation_id, channel
        limit 1
      )
      union all
      select next.* from lanes l cross join lateral (
        select m.organisation_id, m.channel from messages m
        where m.state in ('waiting', 'sending') and (m.organisation_id, m.channel) > (l.organisation_id, l.channel)
        order by m.organisation_id, m.channel
        limit 1
      ) next
    ), open as (
      select l.*, greatest(0, size - claimed) as free
      from (select *, organisation_id * 2 + (channel = 'email')::int as lane from lanes) l
      cross join lateral (
        select coalesce((${Object.fromEntries(windows)}::jsonb ->> l.lane::text)::int, ${firstWindow}) as size
      ) w
      cross join lateral (
        select count(*)::int as claimed from messages c
        where c.state in ('waiting', 'sending') and c.organisation_id = l.organisation_id and c.channel = l.channel
          and c.claim is not null and (c.due_at > now() or c.claim = any(${ours}::uuid[]))
      ) c
    ), head as (
      select h.* from open o cross join lateral (
        select m.ctid, o.lane from messages m
        where m.state in ('waiting', 'sending') and m.organisation_id = o.organisation_id and m.channel = o.channel
          and m.due_at <= now() and (m.claim is null or m.claim <> all(${ours}::uuid[]))
        order by m.due_at
        limit o.free
        for update skip locked
      ) h
      limit ${limit}
    ), claimed as (
      update messages m
      set claim = ${token}, due_at = now() + make_interval(secs => ${leaseSeconds})
      where m.ctid = any(array(select ctid from head))
      returning m.*
    )
    select c.*, c.organisation_id * 2 + (c.channel = 'email')::int as "receiverId",
      row_to_json(o) as organisation, row_to_json(t) as task,
      exists (
        select from message_opt_outs x
        where x.organisation_id = c.organisation_id
          and x.address = ${optOutKey(raw('c.organisation_id'), raw('c.recipient'))}) as is_opted_out
    from claimed c
    join organisations o on o.id = c.organisation_id
    left join lateral (
      select ${columnList(taskColumns)} from tasks
      where organisation_id = c.organisation_id and id = c.task_id limit 1
    ) t on true`)

const keyAndClaim = ['organisation_id', 'id', 'claim'] as const

const renewClaims = (db: Db, claimed: ClaimedMessage[]) =>
  db.run(sql`
    with held as (
      select m.ctid from messages m
      join ${unnest(messages, keyAndClaim, claimed)} using (organisation_id, id)
      where m.claim is not distinct from given.claim and m.state in ('waiting', 'sending')
      for update of m skip locked
    )
    update messages set due_at = now() + make_interval(secs => ${leaseSeconds})
    where ctid = any(array(select ctid from held))`)

/** One that was being sent becomes unknown when it is claimed next. */
const releaseClaims = (db: Db, claimed: ClaimedMessage[]) =>
  db.run(sql`
    update messages m set claim = null, due_at = now()
    from ${unnest(messages, keyAndClaim, claimed)}
    where m.organisation_id = given.organisation_id and m.id = given.id and m.claim is not distinct from given.claim
      and m.state in ('waiting', 'sending')`)

/** Writes what became of a message, and tells it in the timeline of its task, in one transaction. */
async function completeMessage(
  service: Service,
  { delivery, attempt, decision }: Result<ClaimedMessage, Made, MessageResult>,
): Promise<void> {
  const { organisation, task_id } = delivery
  const context = contextOf(service, organisation.id, system)
  await commitWithEvents(context, async (db) => {
    const isEnd = decision.state !== 'waiting'
    const [task] = isEnd && task_id !== null ? await lockTasks(db, organisation.id, [task_id]) : []
    const isOurs = await saveResult(db, delivery, attempt.attempts, decision)
    if (!isOurs || !task) return
    const set = !task.sent_eta && toldArrival(delivery, decision) ? { sent_eta: true } : {}
    const remark = { message: presentResult(delivery, decision) }
    const change = { before: task, set, fires: ['TASK_UPDATED'] as const, remark }
    await changeTasks(context, db, organisation, [change], service.clock.now())
  })
  context.announceChanges(['messages'])
}

/**
 * Only the holder of the claim writes; or, if others have already declared the attempt unknown, who made that attempt and
 * knows better.
 */
export const saveResult = async (
  db: Db,
  { organisation_id, id, claim }: Pick<MessageRow, 'organisation_id' | 'id' | 'claim'>,
  attempts: number,
  { state, reason, error, dueAt, quietUntil }: MessageResult,
) =>
  (await db.run(sql`
    update messages
    set state = ${state}, reason = ${reason}, error = ${error}, claim = null, due_at = coalesce(${dueAt}, due_at),
      quiet_until = ${quietUntil},
      ended_at = case when ${state === 'waiting'} then null else now() end
    where organisation_id = ${organisation_id} and id = ${id} and attempts = ${attempts}
      and (claim is not distinct from ${claim} and state in ('waiting', 'sending')
        or state = 'unknown' and ${state} in ('sent', 'failed'))`)) > 0
