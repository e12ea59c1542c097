import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from '../../files/csv.ts'
import { takeTurns } from '../../files/turns.ts'
import { checkRows } from './check.ts'

test('the page gets time as soon as a turn is over, however long a row takes', async () => {
  for (const rowMs of [0.1, 1, 5, 40]) {
    let now = 0
    let since = 0
    let longest = 0
    const rest = takeTurns(
      () => now,
      async () => {
        longest = Math.max(longest, now - since)
        now += 3
        since = now
      },
    )
    for (let row = 0; row < 5_000; row += 1) {
      now += rowMs
      await rest()
    }
    assert.ok(longest > 0 && longest <= 12 + rowMs, `rows of ${rowMs} ms keep the page waiting for ${longest} ms`)
  }
})

test('reading and checking a long list can pause after every row', async () => {
  let rests = 0
  const rest = async () => {
    rests += 1
  }
  const text = Array.from({ length: 5_000 }, (_, at) => `B-${at},Strada Lipscani ${at}\n`).join('')
  const [headers = [], ...rows] = await readCsv(new TextEncoder().encode(`awb,address\n${text}`), rest)
  assert.equal(rests, 5_001)

  const sheet = { headers, rows: rows.map((cells, at) => ({ number: at + 2, cells })) }
  await checkRows(
    sheet,
    ['awb', 'address'],
    {
      day: '2030-01-02',
      drivers: [],
      teams: [],
      forms: [],
      money: { decimals: 0 },
      hasOwnAwbs: true,
      hasTeamsAlone: true,
    },
    rest,
  )
  assert.equal(rests, 10_001)
})
