import { createECDH, randomBytes } from 'node:crypto'
import type { Database } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** A task as a client would send it, with the fields that matter to the test. */
export const aTask = (given: object = {}) => ({
  address: { address: 'Strada Lipscani 12, București', lat: 44.4323, lng: 26.1004 },
  ...given,
})

/** A push subscription as a browser gives it, with a key nobody else has. */
export function aSubscription() {
  const browser = createECDH('prime256v1')
  const p256dh = browser.generateKeys('base64url')
  return {
    endpoint: `https://push.example.org/${p256dh.slice(0, 20)}`,
    expirationTime: null,
    keys: { p256dh, auth: randomBytes(16).toString('base64url') },
  }
}

interface Caller {
  post(path: string, body?: unknown): Promise<{ body: Record<string, never> }>
}

let made = 0

/** A team with a unique name. */
export async function makeTeam(server: Caller, given: object = {}): Promise<{ id: number; name: string }> {
  return (await server.post('/teams', { name: `Team ${++made}`, ...given })).body['team'] as never
}

/** A driver with a unique phone, in their own team. */
export async function makeDriver(
  server: Caller,
  given: object = {},
): Promise<{ id: number; name: string; phone: string }> {
  const { id } = await makeTeam(server)
  const phone = `07120${String(++made).padStart(5, '0')}`
  const { body } = await server.post('/drivers', { name: `Driver ${made}`, phone, teams: [id], ...given })
  return body['user'] as never
}

type WithDatabase = { database: Pick<Database, 'everyone'>; organisationId: number }

/** Signs a driver in, as their phone would: invited, then with the code. Not for the first time, where we can say so. */
export async function signIn(
  server: Caller & Partial<WithDatabase>,
  driver: { id: number; phone: string },
): Promise<string> {
  const { body } = await server.post(`/drivers/${driver.id}/invite`)
  const signedIn = await server.post('/driver/login', { phone: driver.phone, code: body['code'] })
  if (server.database) await letSignInPass({ database: server.database }, driver)
  return signedIn.body['token'] as never
}

/** Makes the first sign-in of a driver two months old. */
export const letSignInPass = ({ database }: Pick<WithDatabase, 'database'>, { id }: { id: number }) =>
  database.everyone.run(sql`
    update users set first_signed_in_at = first_signed_in_at - interval '60 days' where id = ${id}`)

/** Makes what happened to the tasks of an organisation three days old: what drivers did hours ago, they did to tasks they had. */
export const letDaysPass = ({ database, organisationId }: WithDatabase) =>
  database.everyone.run(sql`
    update events set occurred_at = occurred_at - interval '3 days', recorded_at = recorded_at - interval '3 days'
    where organisation_id = ${organisationId}`)

/** Puts a driver on duty, since ten hours ago. */
export const beginDuty = (url: string, key: string) =>
  fetch(`${url}/api/v1/driver/duty`, {
    method: 'PUT',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ inShift: true, occurredAt: new Date(Date.now() - 10 * 3_600_000).toISOString() }),
  })

/** A zone where it is noon now: for a test in which some minutes ago must not have been yesterday. */
export function zoneOfNoon(): string {
  const behind = new Date().getUTCHours() - 12
  return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`
}
