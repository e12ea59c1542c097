import { settingsOf } from '../../../core/settings.ts'
import type { Service } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { MessageRow } from '../../tasks/noted-messages/tables.ts'
import { countMessage } from '../queries.ts'
import { type ClaimedMessage, leaseSeconds } from './store.ts'

type Filled = Pick<MessageRow, 'subject' | 'body'>
type Begun = 'begun' | 'lost' | 'taskLimit' | 'dayLimit'

/**
 * Notes that a message is about to be sent, before it is: whatever happens from here on, nobody else sends it. Limits are
 * counted here and nowhere else, so that they hold for all processes together.
 */
export const beginAttempt = (
  { database }: Service,
  message: ClaimedMessage,
  filled: Filled,
  day: string,
): Promise<Begun> => {
  const { organisation_id, id, task_id, organisation, attempts, attempts_before } = message
  const { messageMostPerTask, messageMostPerDay } = settingsOf(organisation)
  return database.of(organisation_id).transaction(async (db) => {
    const ofTask = await lockMessages(db, organisation_id, id, task_id)
    const own = ofTask.find((one) => one.id === id)
    if (own?.state !== 'waiting' || own.claim !== message.claim || !own.is_held) return 'lost'
    if (attempts === 0) {
      const others = ofTask.filter((one) => one.attempts > 0).length
      if (attempts_before === null && others >= messageMostPerTask) return 'taskLimit'
      if ((await countMessage(db, organisation_id, day, messageMostPerDay)) === 0) return 'dayLimit'
    }
    await saveBegun(db, message, filled)
    return 'begun'
  })
}

type Locked = Pick<MessageRow, 'id' | 'state' | 'claim' | 'attempts'> & { is_held: boolean }

/** All messages of the task, in order, so that two of them do not both become the last that is allowed. */
const lockMessages = (db: Db, organisationId: number, id: number, taskId: number | null) =>
  db.many<Locked>(sql`
    select id, state, claim, attempts, due_at > now() as is_held from messages
    where organisation_id = ${organisationId} and (task_id = ${taskId} or id = ${id})
    order by id
    for update`)

const saveBegun = (db: Db, { organisation_id, id }: ClaimedMessage, { subject, body }: Filled) =>
  db.run(sql`
    update messages
    set state = 'sending', attempts = attempts + 1, subject = ${subject}, body = ${body},
      due_at = now() + make_interval(secs => ${leaseSeconds})
    where organisation_id = ${organisation_id} and id = ${id}`)
