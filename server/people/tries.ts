import { createHash } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { forgetAfterSeconds, type Standing, tooManyElsewhere, waitsAfterWrong } from '../../core/password-tries.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { table } from '../db/table.ts'
import { createBuckets } from '../http/limits/buckets.ts'
import { tooMany } from '../http/limits/limits.ts'
import { placeOf } from '../http/limits/networks.ts'
import { requireRoom } from './passwords.ts'

/*
 * Who may try a password now (docs/decisions/0040): counted per account and per place it is tried from, in the database,
 * before the password is looked at. So a hundred tries at once, on several processes, are no more than a hundred in a row.
 */

/** Lets a caller try the password of an account. `attempt` is told whether they are known, as then they go first. */
export type AccountLimit = <Result>(account: string, attempt: (isKnown: boolean) => Promise<Result>) => Promise<Result>

/** How many wrong passwords strangers in one place may send at once, on all accounts together, and how many a minute. */
const wrongOfAPlace = 20
const wrongAMinute = 4

export function createPasswordTries(db: Db, hasty: Db) {
  const places = countPlaces(hasty)

  async function count<Result>(
    account: Buffer,
    source: Buffer,
    standing: Standing,
    attempt: (isKnown: boolean) => Promise<Result>,
  ): Promise<Result> {
    const isStranger = standing === 'stranger'
    const elsewhere = isStranger ? await countWrongElsewhere(db, account, source) : 0
    const seconds = await takeTry(db, { account, source, isStranger }, waitsAfterWrong(standing, elsewhere))
    if (seconds > 0)
      throw tooMany(
        seconds,
        'Too many wrong passwords for this account; wait, or ask an admin for a link to choose a new one',
      )
    try {
      const result = await attempt(!isStranger)
      await forgetTries(db, account, source)
      return result
    } catch (error) {
      if (!isWrong(error)) await giveBack(db, account, source)
      throw error
    }
  }

  return {
    /** Somebody who is not signed in, with what their browser knows itself by. */
    from:
      (address: string, device: string | undefined): AccountLimit =>
      async (email, attempt) => {
        const account = accountOf(email)
        const [ofPlace, ofDevice] = [hashPlace(address), device === undefined ? undefined : hashDevice(device)]
        const known = await findStanding(db, email.trim(), [ofPlace, ...(ofDevice ? [ofDevice] : [])])
        if (ofDevice && known.by_device) return count(account, ofDevice, 'known', attempt)
        if (known.by_place) return count(account, ofPlace, 'known', attempt)
        requireRoom(false)
        return places(placeOf(address), () => count(account, ofPlace, 'stranger', attempt))
      },

    /** Somebody who is signed in and has to type their password again. */
    ofSession:
      (sessionId: number): AccountLimit =>
      (email, attempt) =>
        count(accountOf(email), digest(`session ${sessionId}`), 'known', attempt),

    /** Remembers where a person has signed in from, in place of what they have not used for longest. */
    remember: (who: { organisationId: number; personId: number }, address: string, device: string) =>
      db.transaction(async (db) => {
        await saveCallers(db, who, hashPlace(address), hashDevice(device))
        await forgetOldCallers(db, who)
      }),
  }
}

const isWrong = (error: unknown) =>
  error instanceof Refusal && (error.code === 'UNAUTHORIZED' || error.code === 'WRONG_PASSWORD')

/** Half of the bits are plenty to tell these apart. Who has an account here is private, so no name is stored. */
const digest = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16)
const accountOf = (email: string) => digest(email.trim().toLowerCase())
const hashPlace = (address: string) => digest(`place ${placeOf(address)}`)
const hashDevice = (device: string) => digest(`device ${device}`)

/** Tries one password on many accounts: each place has only so many. One counts as wrong until it is checked. */
function countPlaces(db: Db) {
  const wrong = createBuckets({ kind: 'strangers', capacity: wrongOfAPlace, perSecond: wrongAMinute / 60, db })
  const running = new Map<string, number>()
  return async <Result>(place: string, attempt: () => Promise<Result>): Promise<Result> => {
    await wrong.settle(place)
    const others = running.get(place) ?? 0
    if (wrong.level(place) - others < 1)
      throw tooMany(wrong.secondsToNext(place), 'Too many wrong passwords from this network')
    running.set(place, others + 1)
    try {
      return await attempt()
    } catch (error) {
      if (isWrong(error)) wrong.take(place)
      throw error
    } finally {
      const left = (running.get(place) as number) - 1
      if (left > 0) running.set(place, left)
      else running.delete(place)
    }
  }
}

// ---- What is stored ----

export const passwordTries = table('password_tries', {
  account: 'bytea',
  source: 'bytea',
  is_stranger: 'boolean',
  wrong: 'integer',
  next_at: 'timestamptz',
  forget_at: 'timestamptz',
})

/** Only up to what matters, however many places a guesser has. */
const countWrongElsewhere = async (db: Db, account: Buffer, source: Buffer) =>
  (
    await db.get<{ wrong: number }>(sql`
      select coalesce(sum(wrong), 0)::int as wrong from (
        select wrong from password_tries
        where account = ${account} and source <> ${source} and is_stranger and forget_at > now()
        limit ${tooManyElsewhere}) others`)
  ).wrong

type Try = { account: Buffer; source: Buffer; isStranger: boolean }

/** Counts a try as wrong. Returns 0, or for how many seconds it is too early for one. */
const takeTry = (db: Db, tried: Try, waits: readonly number[]): Promise<number> =>
  db.transaction(async (db) => {
    const { wrong, seconds } = await lockTries(db, tried)
    if (seconds > 0) return seconds
    await saveTry(db, tried, wrong + 1, waits[Math.min(wrong, waits.length - 1)] as number)
    return 0
  })

/** How many wrong ones there were, and how long to wait for the next. Tries of one place on one account queue up here. */
const lockTries = (db: Db, { account, source, isStranger }: Try) =>
  db.get<{ wrong: number; seconds: number }>(sql`
    insert into password_tries as t (account, source, is_stranger, wrong, next_at, forget_at)
    values (${account}, ${source}, ${isStranger}, 0, now(), now())
    on conflict (account, source) do update set is_stranger = excluded.is_stranger
    returning
      case when t.forget_at < clock_timestamp() then 0 else t.wrong end as wrong,
      greatest(0, extract(epoch from t.next_at - clock_timestamp()))::float8 as seconds`)

const saveTry = (db: Db, { account, source }: Try, wrong: number, waitSeconds: number) =>
  db.run(sql`
    update password_tries set
      wrong = ${wrong},
      next_at = clock_timestamp() + make_interval(secs => ${waitSeconds}),
      forget_at = clock_timestamp() + make_interval(secs => ${waitSeconds + forgetAfterSeconds})
    where account = ${account} and source = ${source}`)

/** The password was right. */
const forgetTries = (db: Db, account: Buffer, source: Buffer) =>
  db.run(sql`delete from password_tries where account = ${account} and source = ${source}`)

/** The password was not looked at, for a reason of ours. */
const giveBack = (db: Db, account: Buffer, source: Buffer) =>
  db.run(sql`
    update password_tries set wrong = wrong - 1, next_at = clock_timestamp()
    where account = ${account} and source = ${source} and wrong > 0`)

/** Whoever has addresses to make up could fill the table; what is needed longest stays. */
const mostTries = 200_000

export const forgetOldTries = async (db: Db) => {
  await db.run(sql`delete from password_tries where forget_at < now()`)
  await db.run(sql`
    delete from password_tries
    where forget_at < (select forget_at from password_tries order by forget_at desc offset ${mostTries} limit 1)`)
}

export const knownCallers = table('known_callers', {
  organisation_id: 'bigint',
  user_id: 'bigint',
  hash: 'bytea',
  is_device: 'boolean',
  last_at: 'timestamptz',
})

/** The same question for an address that nobody has. */
const findStanding = (db: Db, email: string, hashes: Buffer[]) =>
  db.get<{ by_device: boolean; by_place: boolean }>(sql`
    select coalesce(bool_or(k.is_device), false) as by_device, coalesce(bool_or(not k.is_device), false) as by_place
    from logins l
    join known_callers k on k.organisation_id = l.organisation_id and k.user_id = l.user_id
    where lower(l.email) = lower(${email}) and k.hash = any(${hashes}::bytea[])`)

type Who = { organisationId: number; personId: number }

const saveCallers = (db: Db, { organisationId, personId }: Who, place: Buffer, device: Buffer) =>
  db.run(sql`
    insert into known_callers (organisation_id, user_id, hash, is_device)
    values (${organisationId}, ${personId}, ${place}, false), (${organisationId}, ${personId}, ${device}, true)
    on conflict (organisation_id, user_id, hash) do update set last_at = now()`)

/** Of each kind a person has this many. */
const mostCallers = 10

const forgetOldCallers = (db: Db, { organisationId, personId }: Who) =>
  db.run(sql`
    delete from known_callers
    where organisation_id = ${organisationId} and user_id = ${personId} and hash in (
      select hash from (
        select hash, row_number() over (partition by is_device order by last_at desc, hash) as place
        from known_callers
        where organisation_id = ${organisationId} and user_id = ${personId}) ranked
      where place > ${mostCallers})`)
