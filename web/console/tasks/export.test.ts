import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver } from '../../../server/test/factories.ts'
import { agree, aPair, give, type Party } from '../../../server/test/partners.ts'
import { startServer } from '../../../server/test/server.ts'
import { sayIn } from '../../test/words.ts'
import { readTable, sheetOf } from '../files/read-file.ts'
import { tableAsText } from '../files/save.ts'
import { writeXlsx } from '../files/xlsx-write.ts'
import { tableOf } from './export.ts'
import { checkRows } from './import/check.ts'
import { guessMapping, loadOwnNames } from './import/columns.ts'

const zone = 'Europe/Bucharest'
const own = await loadOwnNames()

test('an exported list has real dates and numbers, and custom fields as columns', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server, { name: 'Ștefan' })
  await server.post('/tasks', {
    ...aTask({ awb: 'A-1', completeAfter: '2026-11-15 10:00', totalPrice: 120, userId: driver.id }),
    customer: { name: 'Ioana', phone: '0712345678' },
    customFields: [
      { key: 'Culoare', value: 'roșu' },
      { key: 'Etaj', value: 3 },
    ],
  })
  const { body } = await server.get('/tasks')
  const { headers, rows } = tableOf(body.tasks, [], sayIn('en'), zone, server.organisationId)
  const row = Object.fromEntries(headers.map((header, column) => [header, rows[0]?.[column]]))
  assert.equal(row['AWB'], 'A-1')
  assert.equal(row['Status'], 'Assigned')
  assert.deepEqual(row['Not before'], { wall: '2026-11-15 10:00:00' })
  assert.equal(row['Price'], 120)
  assert.equal(row['Latitude'], 44.4323)
  assert.equal(row['Driver'], 'Ștefan')
  assert.equal(row['Partner'], null)
  assert.equal(row['Found on the map'], 'exact')
  assert.equal(row['Culoare'], 'roșu')
  assert.equal(row['Etaj'], 3)
})

test('an exported list can be imported again, as Excel or as text, in both languages', async (t) => {
  const server = await startServer(t)
  await server.put('/company', { moneyDecimals: 2 })
  const { form } = (await server.post('/forms', { name: 'Vizită', fields: [] })).body
  const window = { completeAfter: '2026-11-15 10:00', completeBefore: '2026-11-15 12:00' }
  await server.post('/tasks', {
    ...aTask({ awb: 'A-2', ...window, formId: form.id, totalPrice: 50.25, details: '=2 cutii', pickupTask: true }),
    customer: { name: 'Ioana', phone: '0712345678' },
  })
  const { body } = await server.get('/tasks')
  for (const language of ['en', 'ro'] as const) {
    const table = tableOf(body.tasks, [form], sayIn(language), zone, server.organisationId)
    const csv = new Uint8Array(Buffer.from(tableAsText(table)))
    for (const bytes of [csv, await writeXlsx('x', table.headers, table.rows)]) {
      const sheet = sheetOf((await readTable(bytes)) as string[][], 0)
      const around = {
        day: '2026-11-15',
        drivers: [],
        teams: [],
        forms: [form],
        money: { decimals: 2 },
        hasOwnAwbs: true,
        hasTeamsAlone: true,
      }
      const [checked] = await checkRows(sheet, guessMapping(sheet.headers, own), around)
      assert.deepEqual(checked?.problems, [])
      const { address, ...rest } = checked!.input
      assert.equal(address.lat, 44.4323)
      assert.deepEqual(
        { ...rest, priority: 0 },
        {
          awb: 'A-2',
          ...window,
          formId: form.id,
          totalPrice: 50.25,
          priority: 0,
          details: '=2 cutii',
          pickupTask: true,
          customer: { name: 'Ioana', phone: '+40712345678' },
        },
        language,
      )
    }
  }
})

test('an exported list names the partner of a shared task, on both sides, and both of one that was given on', async (t) => {
  const { server, shop, courier, awb, delegate } = await aPair(t)
  const colleague: Party = await server.another()
  await agree(courier, colleague)
  const names = new Map<Party, string>([
    [shop, 'Flori'],
    [courier, 'Curier Rapid'],
    [colleague, 'Vecinul'],
  ])
  for (const [party, name] of names) await party.put('/company', { name })
  const partnerIn = async (party: Party, language: 'en' | 'ro' = 'en') => {
    const { tasks } = (await party.get('/tasks')).body
    const { headers, rows } = tableOf(tasks, [], sayIn(language), zone, party.organisationId)
    return rows[0]?.[headers.indexOf(language === 'en' ? 'Partner' : 'Partener')]
  }
  await delegate()
  assert.deepEqual(
    [await partnerIn(shop), await partnerIn(courier), await partnerIn(courier, 'ro')],
    ['Curier Rapid', 'Flori', 'Flori'],
  )
  await give(courier, colleague, awb)
  assert.deepEqual(
    [await partnerIn(shop), await partnerIn(courier), await partnerIn(colleague)],
    ['Curier Rapid', 'Flori, Vecinul', 'Curier Rapid'],
  )
})
