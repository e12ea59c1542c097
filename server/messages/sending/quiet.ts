import { type QuietHours, quietUntil } from '../../../core/message-rules/times.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Service } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Organisation } from '../../organisations/queries.ts'

export function quietHoursOf(organisation: Organisation): QuietHours {
  const { messageQuietFrom: from, messageQuietUntil: until } = settingsOf(organisation)
  return { from, until }
}

interface Night {
  organisation: Organisation
  quiet_until: Date
}

/** The ends of quiet hours for which messages wait. */
const listNights = (db: Db) =>
  db.many<Night>(sql`
    select row_to_json(o) as organisation, n.quiet_until
    from (
      select distinct organisation_id, quiet_until from messages
      where state in ('waiting', 'sending') and quiet_until > now()
    ) n
    join organisations o on o.id = n.organisation_id
    order by o.id, n.quiet_until`)

const endNight = (db: Db, { organisation, quiet_until }: Night) =>
  db.run(sql`
    update messages set due_at = now(), quiet_until = null
    where organisation_id = ${organisation.id} and state = 'waiting' and claim is null and quiet_until = ${quiet_until}`)

/**
 * Lets messages go that wait for an end of quiet hours that no longer counts, because the organisation has changed its
 * quiet hours or its time zone. They are judged again: if it is still quiet, they wait for the new end.
 */
export async function endChangedNights(
  { database, clock }: Pick<Service, 'database' | 'clock'>,
  stopping: AbortSignal,
) {
  for (const night of await listNights(database.everyone)) {
    if (stopping.aborted) return
    const { organisation, quiet_until } = night
    const end = quietUntil(clock.now(), quietHoursOf(organisation), organisation.timezone)
    if (end?.getTime() !== quiet_until.getTime()) await endNight(database.of(organisation.id), night)
  }
}
