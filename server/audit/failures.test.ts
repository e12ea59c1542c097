import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry } from '../../contract/audit.ts'
import { sql } from '../db/sql.ts'
import { addPerson, signIn } from '../test/people.ts'
import { startServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { nobody, recordFailure } from './failures.ts'

const from = (address: string) => nobody({ address, agent: 'curl/8' })

test('of many failures in an hour only the first have a line of their own, the others share one', async (t) => {
  const server = await startServer(t)
  const db = server.database.everyone
  const { organisationId } = server
  const fail = (subjectId: number, address: string) =>
    recordFailure(from(address), db, { organisationId, kind: 'person.passwordWrong', subjectId })
  await Promise.all(Array.from({ length: 422 }, (_, number) => fail(1, `10.0.0.${number % 200}`)))
  for (let number = 0; number < 3; number += 1) await fail(2, '10.1.1.1')

  const read = async (): Promise<AuditEntry[]> => (await server.get('/audit?kind=person.passwordWrong')).body.entries
  const linesOf = (entries: AuditEntry[], id: number) => entries.filter(({ subject }) => subject.id === id)
  const before = await read()
  assert.deepEqual([linesOf(before, 1).length, linesOf(before, 2).length], [10, 3])

  // The hour is not over.
  await server.makeRound('counting failures')
  assert.deepEqual(await read(), before)

  await db.run(sql`
    update audit_failures set hour = '2026-11-17 09:00Z' where organisation_id = ${organisationId}`)
  await server.makeRound('counting failures')
  const [newest, ...others] = await read()
  assert.deepEqual(others, before)
  assert.deepEqual(
    { ...newest, id: 0, at: '' },
    {
      id: 0,
      at: '',
      kind: 'person.passwordWrong',
      actor: { type: 'NOBODY', id: null, name: null },
      address: null,
      userAgent: null,
      subject: { type: 'person', id: 1, name: null },
      changes: [{ field: 'hour', after: '2026-11-17T09:00:00Z' }],
      count: 412,
    },
  )
  const rest = await db.many(sql`select from audit_failures where organisation_id = ${organisationId}`)
  assert.equal(rest.length, 0)
})

test('a wrong password is told of a known address, with where it came from, and an unknown one leaves nothing', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const ana = await addPerson(server, 'admin')
  const headers = { 'x-forwarded-for': '198.51.100.7', 'user-agent': `curl/8 ${'x'.repeat(300)}` }
  assert.equal((await signIn(server.url, 'nobody@example.org', 'wrong password', headers)).status, 401)
  assert.equal((await signIn(server.url, ana.email, 'wrong password', headers)).status, 401)
  const entries = await until('the line', async () => {
    const found: AuditEntry[] = (await server.get('/audit?who=198.51.100.7')).body.entries
    return found.length > 0 && found
  })
  assert.equal(entries.length, 1)
  assert.deepEqual(
    [entries[0]?.kind, entries[0]?.subject.id, entries[0]?.address, entries[0]?.userAgent?.length],
    ['person.passwordWrong', ana.id, '198.51.100.7', 200],
  )
})
