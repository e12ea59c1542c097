import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, makeTeam } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'

/** As a spreadsheet reads it; nothing here has a line end inside. */
const read = ({ text, bytes }: { text: string; bytes: Uint8Array }) => {
  assert.deepEqual([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf], 'Excel knows by it that the letters are UTF-8')
  const rows = text.trimEnd().split('\r\n')
  const cells = rows.map((row) =>
    [...row.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)]
      .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
      .slice(0, rows[0]!.split(',').length),
  )
  const [head, ...body] = cells as [string[], ...string[][]]
  return body.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])))
}

test('a report as CSV says the same as the JSON, row by row', async (t) => {
  const server = await startServer(t)
  await server.put('/company', { settings: { moneyDecimals: 2 } })
  const driver = await makeDriver(server, { name: 'Ștefan "Fane" Țurcanu, jr.' })
  const team = await makeTeam(server, { name: '=1+1' })
  const customer = { name: 'Doamna Ionescu', phone: '0722 123 456' }
  await server.post('/tasks', aTask({ awb: 'A', userId: driver.id, teamId: team.id, customer, totalPrice: 12.5 }))
  await server.post('/tasks', aTask({ awb: 'B', userId: driver.id }))
  await server.put('/tasks/awb/A/forceComplete', { success: true })
  await server.put('/tasks/awb/B/forceComplete', { success: false, failureReason: 'Nimeni acasă' })
  const report = (await server.get('/reports/tasks?by=day,month,hour,driver,team,customer,reason,payment')).body
  assert.deepEqual([report.firstTries, report.firstTriesSucceeded, report.firstTryShare], [2, 1, 0.5])
  assert.deepEqual(
    report.customers.map((one: Record<string, unknown>) => [one['name'], one['tasks'], one['unpaid']]),
    [['Doamna Ionescu', 1, 12.5]],
  )
  for (const [by, list] of [
    ['day', 'days'],
    ['month', 'months'],
    ['hour', 'hours'],
    ['driver', 'drivers'],
    ['team', 'teams'],
    ['customer', 'customers'],
    ['reason', 'reasons'],
    ['payment', 'payments'],
  ] as const) {
    const reply = await server.get(`/reports/tasks?format=csv&by=${by}`)
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(
      reply.headers.get('content-disposition') ?? '',
      new RegExp(`^attachment; filename="tasks-by-${by}-[-0-9]+\\.csv"$`),
    )
    const expected = report[list].map((row: object) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value === '=1+1' ? "'=1+1" : value === null ? '' : String(value),
        ]),
      ),
    )
    assert.ok(expected.length > 0, by)
    assert.deepEqual(read(reply), expected, by)
  }
  const [sums] = read(await server.get('/reports/tasks?format=csv'))
  assert.deepEqual([sums?.['from'], sums?.['tasks'], sums?.['unpaid']], [report.from, '2', '12.5'])
  for (const [query, field] of [
    ['format=csv&by=day,driver', 'by'],
    ['format=xlsx', 'format'],
  ])
    assert.equal((await server.get(`/reports/tasks?${query}`)).body.error.field, field)
})

test('promises and feedback come as CSV too', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'A' }))
  await server.database.everyone.run(sql`
    update tasks set status_id = 9, completed_at = now(), feedback = '{"rating": 2, "comment": "Târziu; a, b", "at": "2026-01-01T00:00:00Z"}'
    where organisation_id = ${server.organisationId}`)
  const ratings = read(await server.get('/reports/feedback?format=csv'))
  assert.deepEqual(ratings.find(({ rating }) => rating === '2')?.['count'], '1')
  const [comment] = read(await server.get('/reports/feedback?format=csv&by=comment'))
  assert.deepEqual([comment?.['awb'], comment?.['comment']], ['A', 'Târziu; a, b'])
  assert.match((await server.get('/reports/eta?format=csv')).text, /^hour,promises,open,/)
  assert.equal((await server.get('/reports/feedback?format=csv&by=moon')).body.error.field, 'by')
})

test('a table that has not changed is not sent again, and needs the same right', async (t) => {
  const server = await startServer(t)
  const path = '/api/v1/reports/tasks?format=csv&from=2026-01-01&to=2026-01-02'
  const { etag } = Object.fromEntries((await server.get(path)).headers)
  const again = await request(server.url, 'GET', path, { key: server.key, headers: { 'if-none-match': `${etag}` } })
  assert.equal(again.status, 304)
  const { key } = (await server.post('/keys', { name: 'Reader', scopes: ['company:read'] })).body
  assert.equal((await request(server.url, 'GET', path, { key: key.secret })).status, 403)
})
