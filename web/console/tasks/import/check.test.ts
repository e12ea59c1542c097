import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importSayIn, sayIn } from '../../../test/words.ts'
import { checkRow, checkRows, columnsToFix, problemSentence, readWhole, recheckRow } from './check.ts'
import {
  fieldNames,
  fieldWords,
  findHeader,
  guessMapping,
  hasPlace,
  loadOwnNames,
  type Mapping,
  recallMapping,
  rememberMapping,
  withoutAwb,
} from './columns.ts'
import { readMoment, readSpan } from './window.ts'

const around = {
  day: '2026-11-15',
  drivers: [
    { id: 1, name: 'Ștefan Ionescu', phone: '+40712345678' },
    { id: 2, name: 'Ana', phone: '+40700000001' },
    { id: 3, name: 'Ana', phone: '+40700000002' },
  ],
  teams: [{ id: 7, name: 'Nord' }],
  forms: [{ id: 5, name: 'Vizită' }],
  money: { decimals: 2, currency: 'RON' },
  hasOwnAwbs: true,
  hasTeamsAlone: true,
}
const own = await loadOwnNames()
const check = (mapping: Mapping, cells: string[]) => checkRow({ number: 2, cells }, [], mapping, around)
const wordsOf = (mapping: Mapping, cells: string[]) => check(mapping, cells).problems.map(({ word }) => word)

test('columns are recognised by their names in English and Romanian', () => {
  assert.deepEqual(
    guessMapping(['AWB', 'Delivery address', 'Customer', 'Phone', 'From', 'Until', 'COD', 'Notes'], own),
    [
      'awb',
      'address',
      'customerName',
      'customerPhone',
      'completeAfter',
      'completeBefore',
      'totalPrice',
      'customerNotes',
    ],
  )
  assert.deepEqual(
    guessMapping(
      ['Nr. comandă', 'Adresa livrare', 'Nume destinatar', 'nr_telefon', 'Interval orar', 'Ramburs (lei)', 'Șofer'],
      own,
    ),
    ['awb', 'address', 'customerName', 'customerPhone', 'window', 'totalPrice', 'driver'],
  )
  assert.deepEqual(guessMapping(['customerName', 'streetName', 'serviceTime'], own), [
    'customerName',
    'streetName',
    'serviceTime',
  ])
})

test("the console's own names of fields are recognised in both languages", () => {
  for (const language of ['en', 'ro'] as const) {
    const say = sayIn(language)
    assert.deepEqual(
      guessMapping(
        fieldNames.map((field) => say(fieldWords[field])),
        own,
      ),
      fieldNames,
      language,
    )
  }
})

test('a field is matched to one column only, and unknown columns to none', () => {
  assert.deepEqual(guessMapping(['Address', 'Adresa', 'Culoare', ''], own), ['address', '', '', ''])
})

test('an import needs a column with the address', () => {
  assert.equal(hasPlace(['awb', 'details']), false)
  assert.equal(hasPlace(['lat']), false)
  assert.equal(hasPlace(['lat', 'lng']), true)
  assert.equal(hasPlace(['address']), true)
})

test('the choices for known columns are remembered, for others they are guessed', () => {
  const kept = new Map<string, string>()
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  rememberMapping(['Adresa', 'Culoare'], ['address', 'custom'], store)
  assert.deepEqual(recallMapping(['adresa', 'CULOARE'], own, store), ['address', 'custom'])
  assert.deepEqual(recallMapping(['Adresa', 'Alta'], own, store), ['address', ''])
})

test('a row becomes a valid task', () => {
  const mapping: Mapping = [
    'awb',
    'address',
    'window',
    'customerName',
    'customerPhone',
    'totalPrice',
    'driver',
    'team',
    'form',
    'pickupTask',
    'custom',
  ]
  const { input, problems } = checkRow(
    {
      number: 2,
      cells: [
        'A-1',
        'Strada Nouă 1',
        '10-12:30',
        'Ioana',
        '0712',
        '1.200,00 lei',
        'stefan ionescu',
        'NORD',
        'vizita',
        'da',
        'roșu',
      ],
    },
    [...Array<string>(10).fill(''), 'Culoare'],
    mapping,
    around,
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(input, {
    awb: 'A-1',
    address: { address: 'Strada Nouă 1' },
    completeAfter: '2026-11-15 10:00',
    completeBefore: '2026-11-15 12:30',
    customer: { name: 'Ioana', phone: '0712' },
    totalPrice: 1200,
    userId: 1,
    teamId: 7,
    formId: 5,
    pickupTask: true,
    customFields: [{ key: 'Culoare', value: 'roșu' }],
  })
})

test('a driver is also found by phone, and a name that two drivers share finds neither', () => {
  assert.equal(check(['address', 'driver'], ['x', '0712 345 678']).input.userId, 1)
  assert.deepEqual(wordsOf(['address', 'driver'], ['x', 'Ana']), ['rowSeveralNamed'])
  assert.deepEqual(wordsOf(['address', 'driver'], ['x', 'Bob']), ['rowNobodyNamed'])
  assert.deepEqual(wordsOf(['address', 'form'], ['x', 'Visit']), ['rowNobodyNamed'])
})

test('problems of a row are shown before it is sent', () => {
  assert.deepEqual(wordsOf(['address', 'awb'], ['', 'A-1']), ['rowNoAddress'])
  assert.deepEqual(wordsOf(['address', 'completeAfter', 'completeBefore'], ['x', '14:00', '12:00']), [
    'rowWindowBackwards',
  ])
  assert.deepEqual(wordsOf(['address', 'completeAfter'], ['x', 'soon']), ['rowBadTime'])
  assert.deepEqual(wordsOf(['address', 'window'], ['x', '10:00']), ['rowBadWindow'])
  assert.deepEqual(wordsOf(['address', 'quantity'], ['x', 'două']), ['rowBadNumber'])
  assert.deepEqual(wordsOf(['address', 'awb'], ['x', 'A/1']), ['rowBadAwb'])
  assert.deepEqual(wordsOf(['lat', 'lng'], ['44,4', '260']), ['rowBadPosition'])
  assert.deepEqual(wordsOf(['address', 'country'], ['x', 'Romania']), ['rowBadCountry'])
  assert.deepEqual(wordsOf(['address'], ['x'.repeat(501)]), ['rowTooLong'])
})

test('where a team needs a driver, a row with only a team is to be fixed', () => {
  const problemsOf = (cells: string[], hasTeamsAlone: boolean) =>
    checkRow({ number: 2, cells: ['Strada Lungă 1', ...cells] }, [], ['address', 'team', 'driver'], {
      ...around,
      hasTeamsAlone,
    }).problems.map(({ word }) => word)
  assert.deepEqual(problemsOf(['Nord', ''], true), [])
  assert.deepEqual(problemsOf(['Nord', ''], false), ['rowTeamAlone'])
  assert.deepEqual(problemsOf(['Nord', 'Ștefan Ionescu'], false), [])
})

test('where AWBs are generated, those of the file are not read', () => {
  const { input } = checkRow({ number: 2, cells: ['A-1', 'Strada Lungă 1'] }, [], ['awb', 'address'], {
    ...around,
    hasOwnAwbs: false,
  })
  assert.deepEqual([input.awb, input.address?.address], [undefined, 'Strada Lungă 1'])
  assert.deepEqual(withoutAwb(['awb', 'address', 'custom']), ['', 'address', 'custom'])
})

test('a problem is one sentence in the language of the page', () => {
  const [problem] = check(['address', 'quantity'], ['x', 'două']).problems
  assert.equal(problemSentence(problem!, importSayIn('en')), 'Quantity: “două” is not a whole number')
  assert.equal(problemSentence(problem!, importSayIn('ro')), 'Cantitate: „două” nu este un număr întreg')
})

test('an awb that occurs twice in the file is reported with the row of the first', async () => {
  const rows = ['A-1', 'A-2', 'A-1'].map((awb, index) => ({ number: index + 2, cells: [awb, 'x'] }))
  const checked = await checkRows({ headers: [], rows }, ['awb', 'address'], around)
  assert.deepEqual(
    checked.map(({ problems }) => problems.length),
    [0, 0, 1],
  )
  assert.deepEqual(checked[2]?.problems[0]?.values, { awb: 'A-1', row: '2' })
})

test('an edited row is checked by the same rules, and so are rows that share its awb', async () => {
  const rows = ['A-1', 'A-2', 'A-1', 'A-1'].map((awb, index) => ({ number: index + 2, cells: [awb, 'x', '1'] }))
  const mapping: Mapping = ['awb', 'address', 'quantity']
  const before = await checkRows({ headers: [], rows }, mapping, around)
  const wordsIn = (checked: typeof before) => checked.map(({ problems }) => problems.map(({ word }) => word))
  assert.deepEqual(wordsIn(before), [[], [], ['rowSameAwb'], ['rowSameAwb']])

  const edit = (checked: typeof before, at: number, cells: string[]) =>
    recheckRow(checked, at, cells, [], mapping, around)
  const freed = edit(before, 0, ['A-9', 'x', '1'])
  assert.deepEqual(wordsIn(freed), [[], [], [], ['rowSameAwb']], 'the next with this awb is the first now')
  assert.deepEqual(freed[3]?.problems[0]?.values, { awb: 'A-1', row: '4' })
  const taken = edit(freed, 1, ['A-9', 'x', 'două'])
  assert.deepEqual(wordsIn(taken), [[], ['rowBadNumber', 'rowSameAwb'], [], ['rowSameAwb']])
  const fixed = edit(edit(taken, 1, ['A-2', 'x', '2']), 3, ['A-4', 'x', '1'])
  assert.deepEqual(wordsIn(fixed), [[], [], [], []])
  assert.equal(fixed[0], taken[0], 'other rows stay the same')
  assert.deepEqual(
    fixed.map(({ input }) => input),
    (await checkRows({ headers: [], rows: fixed.map(({ row }) => row) }, mapping, around)).map(({ input }) => input),
  )
})

test('a problem leads to the cells with which it can be fixed', () => {
  const columnsOf = (mapping: Mapping, cells: string[]) => columnsToFix(check(mapping, cells).problems, mapping)
  assert.deepEqual(columnsOf(['awb', 'address', 'quantity'], ['A/1', 'x', 'două']), [0, 2])
  assert.deepEqual(columnsOf(['awb', 'city', ''], ['A-1', '', '']), [1], 'a city stands in for the address')
  assert.deepEqual(columnsOf(['address', 'lat', 'lng'], ['x', '44', '']), [1, 2])
  assert.deepEqual(columnsOf(['address', 'completeAfter', 'completeBefore'], ['x', '14:00', '12:00']), [1, 2])
  assert.deepEqual(columnsOf(['address', 'window'], ['x', '14-12']), [1])
  assert.deepEqual(columnsOf(['awb', ''], ['A-1', '']), [0], 'nothing has a place: all that means something')
})

test('titles above the names of the columns are skipped', () => {
  const none = { getItem: () => null, setItem: () => {} }
  const cases: [what: string, table: string[][], header: number][] = [
    [
      'no title',
      [
        ['AWB', 'Adresa'],
        ['A-1', 'Strada Nouă 1'],
      ],
      0,
    ],
    ['a title', [['Lista de livrări'], [], ['AWB', 'Adresa'], ['A-1', 'Strada Nouă 1']], 2],
    [
      'a title and a date',
      [['Livrări'], ['Data', '15.11.2026'], ['Nr. comandă', 'Adresa', 'Telefon'], ['A', 'x', '1']],
      2,
    ],
    ['names nobody knows', [['Raport'], ['Cod', 'Unde', 'Ce'], ['1', 'x', 'y']], 1],
    ['one column', [['Adresa'], ['Strada Nouă 1']], 0],
    [
      'streets are not names',
      [
        ['Unde', 'Cine'],
        ['Strada Lipscani 1', 'Client 1'],
        ['Strada Nouă 2', 'Client 2'],
      ],
      0,
    ],
    [
      'nothing below it',
      [
        ['Cod', 'Unde'],
        ['AWB', 'Adresa'],
      ],
      0,
    ],
  ]
  for (const [what, table, header] of cases) assert.equal(findHeader(table, own, none), header, what)
  const kept = new Map<string, string>()
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  rememberMapping(['Cod', 'Unde'], ['awb', 'address'], store)
  assert.equal(
    findHeader(
      [
        ['AWB', 'Adresa', 'Telefon'],
        ['cod', 'UNDE', ''],
        ['1', 'x', 'y'],
      ],
      own,
      store,
    ),
    1,
  )
})

test('times are read in all usual formats', () => {
  const moment = (text: string) => readMoment(text, '2026-11-15', '00:00')
  assert.equal(moment('9:30'), '2026-11-15 09:30')
  assert.equal(moment('9'), '2026-11-15 09:00')
  assert.equal(moment('9:30 PM'), '2026-11-15 21:30')
  assert.equal(moment('16.11.2026 08:00'), '2026-11-16 08:00')
  assert.equal(moment('16/11/2026, 8:00:00'), '2026-11-16 08:00')
  assert.equal(moment('2026-11-16T08:00'), '2026-11-16 08:00')
  assert.equal(moment('2026-11-16T08:00:00+02:00'), '2026-11-16T08:00:00+02:00')
  assert.equal(moment('16.11.2026'), '2026-11-16 00:00')
  assert.equal(moment('31.02.2026 08:00'), undefined)
  assert.equal(moment('25:00'), undefined)
  assert.deepEqual(readSpan('între 10:00 și 12:00', '2026-11-15'), {
    after: '2026-11-15 10:00',
    before: '2026-11-15 12:00',
  })
  assert.deepEqual(readSpan('10–12', '2026-11-15'), { after: '2026-11-15 10:00', before: '2026-11-15 12:00' })
})

test('prices are read as files write them, and a row with decimals where there are none says what to turn on', () => {
  const mapping: Mapping = ['address', 'totalPrice', 'deliveryPrice']
  const prices = (cells: string[], money = around.money) => {
    const { input, problems } = checkRow({ number: 2, cells: ['x', ...cells] }, [], mapping, { ...around, money })
    return [input.totalPrice, input.deliveryPrice, ...problems.map(({ word }) => word)]
  }
  assert.deepEqual(prices(['1.234,50', 'RON 89.5']), [1_234.5, 89.5])
  assert.deepEqual(prices(['1.234', '120,00 lei']), [1_234, 120])
  assert.deepEqual(prices(['49,9051', '5 EUR']), [undefined, undefined, 'rowTooManyDecimals', 'rowOtherCurrency'])
  assert.deepEqual(prices(['-5', 'zece']), [undefined, undefined, 'rowBadAmount', 'rowBadAmount'])
  const whole = { decimals: 0, currency: 'RON' }
  assert.deepEqual(prices(['49,90', '120,00'], whole), [undefined, 120, 'rowDecimalsOff'])
  const [problem] = checkRow({ number: 2, cells: ['x', '49,90', ''] }, [], mapping, {
    ...around,
    money: whole,
  }).problems
  assert.equal(
    problemSentence(problem!, importSayIn('ro')),
    'Preț: „49,90” are zecimale; pornește-le în Setări, la „Zecimale la sume”',
  )
})

test('quantities must be whole numbers, with any thousands separator', () => {
  assert.equal(readWhole('1 234'), 1234)
  assert.equal(readWhole('1.234'), 1234)
  assert.equal(readWhole('1,234.00'), 1234)
  assert.equal(readWhole('3 buc'), 3)
  assert.equal(readWhole('0'), 0)
  assert.equal(readWhole('12.5'), undefined)
  assert.equal(readWhole('-3'), undefined)
})
