import { Succeeded } from '../../../core/task-status.ts'
import { triggers } from '../../../core/triggers.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { PushRow } from '../devices/queries.ts'

/** Organisations in which something happened since they were last searched. */
export const listUnsearched = (db: Db) =>
  db.many<{ id: number }>(sql`
    select g.organisation_id as id from push_progress g
    join event_counters c on c.organisation_id = g.organisation_id
    where c.last_event_id > g.event_id`)

/**
 * Finds the devices with news and says when to call them. News is what the office did to a driver's task, that they got
 * or lost one, that one they wait for is done, and what was decided about their work. Not what they did themselves on another phone, nor what Waybill finds
 * out about a task, such as that it is late: every call is a notification on the screen.
 */
export const noteNews = (db: Db, organisationId: number, waitSeconds: number, pauseSeconds: number) =>
  db.run(sql`
    with place as (
      select g.event_id as after_id, c.last_event_id as end_id from push_progress g
      join event_counters c on c.organisation_id = g.organisation_id
      where g.organisation_id = ${organisationId}
      for update of g skip locked
    ), happened as (
      select e.* from place
      join events e on e.organisation_id = ${organisationId} and e.id > place.after_id and e.id <= place.end_id
    ), concerned as (
      select user_id, id from happened
      where user_id is not null and not (actor_type = 'DRIVER' and actor_id = user_id)
        and (
          actor_type <> 'SYSTEM'
          or trigger_id in (${triggers.TASK_ASSIGNED.id}, ${triggers.TASK_UNASSIGNED.id}))
      union all
      select t.user_id, h.id from happened h
      join dependencies x on x.organisation_id = ${organisationId} and x.depends_on_id = h.task_id
      join tasks t on t.organisation_id = ${organisationId} and t.id = x.task_id
      where h.to_status_id = ${Succeeded} and h.from_status_id <> ${Succeeded}
        and not (h.actor_type = 'DRIVER' and h.actor_id = t.user_id)
      union all
      select c.user_id, c.settled_after_event_id + 1 from place
      join conflicts c on c.organisation_id = ${organisationId}
        and c.settled_after_event_id >= place.after_id and c.settled_after_event_id < place.end_id
    ), news as (
      select user_id, max(id) as event_id from concerned group by user_id
    ), searched as (
      update push_progress g set event_id = place.end_id from place where g.organisation_id = ${organisationId}
    )
    update push_subscriptions p
    set news_event_id = news.event_id,
      due_at = coalesce(
        p.due_at,
        greatest(
          now() + make_interval(secs => ${waitSeconds}),
          p.called_at + make_interval(secs => ${pauseSeconds})))
    from news
    join driver_tokens d on d.organisation_id = ${organisationId} and d.user_id = news.user_id
    where p.organisation_id = ${organisationId} and p.device_id = d.id and p.told_event_id < news.event_id`)

/** A device to call. The claim is known by the `due_at` it wrote. */
export type ClaimedCall = Pick<
  PushRow,
  'organisation_id' | 'device_id' | 'endpoint' | 'p256dh' | 'auth' | 'news_event_id' | 'attempts'
> & { due_at: Date }

/** Some of every organisation, so that many slow phones of one do not keep the others waiting. */
export const claimCalls = (db: Db, mostOrganisations: number, mostOfEach: number, leaseSeconds: number) =>
  db.many<ClaimedCall>(sql`
    with waiting as (
      select organisation_id from push_subscriptions
      where due_at <= now()
      group by organisation_id
      order by min(due_at)
      limit ${mostOrganisations}
    ), due as (
      select d.* from waiting w cross join lateral (
        select organisation_id, device_id from push_subscriptions
        where organisation_id = w.organisation_id and due_at <= now()
        order by due_at
        limit ${mostOfEach}
        for update skip locked
      ) d
    )
    update push_subscriptions p
    set due_at = date_trunc('milliseconds', now()) + make_interval(secs => ${leaseSeconds}), called_at = now()
    from due
    where p.organisation_id = due.organisation_id and p.device_id = due.device_id
    returning p.organisation_id, p.device_id, p.endpoint, p.p256dh, p.auth, p.news_event_id, p.attempts, p.due_at`)

/** It was called. What happened since it was claimed is another reason to call it, after a pause. */
export const noteCalled = (
  db: Db,
  { organisation_id, device_id, news_event_id, due_at }: ClaimedCall,
  pauseSeconds: number,
) =>
  db.run(sql`
    update push_subscriptions
    set told_event_id = greatest(told_event_id, ${news_event_id}), attempts = 0,
      due_at = case when news_event_id > ${news_event_id} then called_at + make_interval(secs => ${pauseSeconds}) end
    where organisation_id = ${organisation_id} and device_id = ${device_id} and due_at = ${due_at}`)

/** It is called again after the wait; if that is null, when there is something new. */
export const notePostponed = (
  db: Db,
  { organisation_id, device_id, attempts, due_at }: ClaimedCall,
  waitSeconds: number | null,
) =>
  db.run(sql`
    update push_subscriptions
    set attempts = ${waitSeconds === null ? 0 : attempts + 1}, due_at = now() + make_interval(secs => ${waitSeconds})
    where organisation_id = ${organisation_id} and device_id = ${device_id} and due_at = ${due_at}`)

/** Unless the phone has subscribed anew in the meantime. */
export const dropSubscription = (db: Db, { organisation_id, device_id, endpoint }: ClaimedCall) =>
  db.run(sql`
    delete from push_subscriptions
    where organisation_id = ${organisation_id} and device_id = ${device_id} and endpoint = ${endpoint}`)
