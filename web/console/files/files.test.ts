import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { writeCsv } from '../../../core/csv.ts'
import { readMoney } from '../../../core/typed-money.ts'
import { readCsv } from './csv.ts'
import { readTable, sheetOf } from './read-file.ts'
import { readXlsx } from './xlsx-read.ts'
import { writeXlsx } from './xlsx-write.ts'
import { type Bytes, makeZip, openZip } from './zip.ts'

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8'): Bytes => new Uint8Array(Buffer.from(text, encoding))

test('a list is read with any usual delimiter', async () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const text = `awb${delimiter}adresa\nA-1${delimiter}Strada Lipscani 12\n`
    assert.deepEqual(await readCsv(bytesOf(text)), [
      ['awb', 'adresa'],
      ['A-1', 'Strada Lipscani 12'],
    ])
  }
})

test('quoted cells keep their delimiters, quotes and line ends', async () => {
  const text = 'a,b\r\n"Str. ""Nouă"", nr. 2","două\nrânduri"\r\n,\r\nlast,"open'
  assert.deepEqual(await readCsv(bytesOf(text)), [
    ['a', 'b'],
    ['Str. "Nouă", nr. 2', 'două\nrânduri'],
    ['', ''],
    ['last', 'open'],
  ])
})

test('commas in addresses are not mistaken for the delimiter', async () => {
  const text = 'Adresa;Telefon\nStr. A 1, sector 1, București;0712\nStr. B 2, sector 2, București;0713\n'
  assert.equal((await readCsv(bytesOf(text)))[1]?.[0], 'Str. A 1, sector 1, București')
})

test('titles above a list do not hide its delimiter', async () => {
  const text = 'Livrări, joi 15\n\nAWB;Adresa;Telefon\nA-1;Str. A 1, București;0712\nA-2;Str. B 2, București;0713\n'
  assert.deepEqual((await readCsv(bytesOf(text)))[3], ['A-1', 'Str. A 1, București', '0712'])
})

test('Excel may name the delimiter in the first line', async () => {
  assert.deepEqual(await readCsv(bytesOf('sep=;\na;b,c\n1;2,3\n')), [
    ['a', 'b,c'],
    ['1', '2,3'],
  ])
})

test('Romanian letters survive every encoding a spreadsheet writes', async () => {
  const expected = [['Adresă'], ['Șoseaua Ștefan cel Mare, Iași']]
  const text = '"Adresă"\n"Șoseaua Ștefan cel Mare, Iași"\n'
  assert.deepEqual(await readCsv(bytesOf(text)), expected)
  assert.deepEqual(await readCsv(bytesOf(`\uFEFF${text}`)), expected)
  assert.deepEqual(await readCsv(bytesOf(`\uFEFF${text}`, 'utf16le')), expected)
  assert.deepEqual(await readCsv(bytesOf(text, 'utf16le')), expected)
  const bigEndian = new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())
  assert.deepEqual(await readCsv(bigEndian), expected)
  // Windows-1250 has only the letters with a cedilla.
  const windows = Uint8Array.from([0x41, 0x64, 0x72, 0x65, 0x73, 0xe3, 0x0a, 0x49, 0x61, 0xba, 0x69, 0x0a])
  assert.deepEqual(await readCsv(windows), [['Adresă'], ['Iaşi']])
})

test('text that begins like a formula is written as text and read back unchanged', async () => {
  const written = writeCsv([
    ['phone', 'price'],
    ['+40712345678', -5],
    ['=HYPERLINK("http://x")', 1],
    ['@sum', 2],
  ])
  assert.ok(written.startsWith('\uFEFFphone,price\r\n'))
  assert.ok(written.includes("'+40712345678,-5"))
  assert.ok(written.includes(`"'=HYPERLINK(""http://x"")"`))
  assert.deepEqual((await readCsv(bytesOf(written))).slice(1), [
    ['+40712345678', '-5'],
    ['=HYPERLINK("http://x")', '1'],
    ['@sum', '2'],
  ])
})

test('a workbook we write can be read again: text, numbers, days with times', async () => {
  const rows = [
    ['A-1', 'Str. <Nouă> & "veche"\nbl. 2', 120, { wall: '2026-11-15 09:30:00' }, null],
    ['=1+1', '_x0041_ \u0001', 44.4323, { wall: '2027-01-01 00:00:00' }, '+40712345678'],
  ]
  const bytes = await writeXlsx('Tasks: [all]', ['awb', 'address', 'n', 'after', 'phone'], rows)
  assert.deepEqual(await readXlsx(bytes), [
    ['awb', 'address', 'n', 'after', 'phone'],
    ['A-1', 'Str. <Nouă> & "veche"\nbl. 2', '120', '2026-11-15 09:30'],
    ['=1+1', '_x0041_ \u0001', '44.4323', '2027-01-01', '+40712345678'],
  ])
})

test('a workbook is complete: every part it names exists, and the checksums are right', async () => {
  const bytes = await writeXlsx('Tasks', ['a'], [['b']])
  const zip = openZip(bytes)
  const types = (await zip.text('[Content_Types].xml')) ?? ''
  const parts = [...types.matchAll(/PartName="\/([^"]+)"/g)].map(([, name]) => name as string)
  assert.equal(parts.length, 3)
  const view = new DataView(bytes.buffer)
  for (const part of parts) {
    const text = (await zip.text(part)) ?? ''
    assert.match(text, /^<\?xml .*<\/\w+>$/s)
    const at = Buffer.from(bytes).indexOf(part) - 30
    assert.equal(view.getUint32(at + 14, true), crc32(text), part)
  }
  assert.match((await zip.text('xl/worksheets/sheet1.xml')) ?? '', /<autoFilter ref="A1:A2"\/>/)
})

/** A workbook as Excel writes it: shared strings, styles by number, cells and rows left out. */
const excelFile = (sheet: string) =>
  makeZip([
    {
      name: 'xl/workbook.xml',
      text: '<workbook><sheets><sheet name="Old" sheetId="1" state="hidden" r:id="rId1"/><sheet name="List" sheetId="2" r:id="rId2"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Target="/xl/worksheets/sheet7.xml" Id="rId2"/></Relationships>',
    },
    {
      name: 'xl/sharedStrings.xml',
      text: '<sst><si><t>Adresa</t></si><si><r><t>Str. </t></r><r><rPr><b/></rPr><t xml:space="preserve">Nouă 1 </t></r><rPh><t>x</t></rPh></si></sst>',
    },
    {
      name: 'xl/styles.xml',
      text: '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0 &quot;days&quot;"/><numFmt numFmtId="165" formatCode="[$-418]dd\\.mm\\.yyyy;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs></styleSheet>',
    },
    { name: 'xl/worksheets/sheet7.xml', text: `<worksheet><sheetData>${sheet}</sheetData></worksheet>` },
  ])

test('a workbook of Excel is read from its first visible sheet, with days and times as people write them', async () => {
  const bytes = await excelFile(
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Data</t></is></c></row>' +
      '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="C3" s="1"><v>46341</v></c><c r="D3" s="2"><v>0.395833333333333</v></c>' +
      '<c r="E3" s="3"><v>3</v></c><c r="F3" s="4"><v>46341</v></c><c r="G3" s="5"><v>46341.39583333</v></c>' +
      '<c r="H3"><v>40712345678</v></c><c r="I3"><v>0.30000000000000004</v></c><c r="J3" t="b"><v>1</v></c><c r="K3" t="e"><v>#N/A</v></c></row>',
  )
  assert.deepEqual(await readXlsx(bytes), [
    ['Adresa', '', 'Data'],
    [],
    [
      'Str. Nouă 1 ',
      '',
      '2026-11-15',
      '09:30',
      '3',
      '2026-11-15',
      '2026-11-15 09:30',
      '40712345678',
      '0.3',
      'true',
      '',
    ],
  ])
})

test('workbooks of other programs are read too, with prefixes, comments and text without escapes', async () => {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const bytes = await makeZip([
    {
      name: 'xl/workbook.xml',
      text: '<workbook><sheets><sheet name="Old" state="veryHidden" r:id="rId1"/><sheet name="List" state="visible" r:id="rId2"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/list.xml"/><Relationship Id="rId3" Type="${office}/sharedStrings" Target="strings.xml"/></Relationships>`,
    },
    { name: 'xl/strings.xml', text: '<x:sst><x:si><x:t>Str. Nouă</x:t></x:si></x:sst>' },
    {
      name: 'xl/worksheets/sheet1.xml',
      text: '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
    },
    {
      name: 'xl/worksheets/list.xml',
      text: `<?xml version="1.0"?><x:worksheet><x:sheetData><!-- <x:row><x:c><x:v>2</x:v></x:c></x:row> -->
        <x:row note='a > "b"/'><x:c t="s"><x:v>0</x:v></x:c><x:c/><x:c t="inlineStr"><x:is><x:t><![CDATA[<5 & 6]]></x:t></x:is></x:c></x:row>
      </x:sheetData></x:worksheet>`,
    },
  ])
  assert.deepEqual(await readXlsx(bytes), [['Str. Nouă', '', '<5 & 6']])
})

test('rows keep the numbers they have in the file', async () => {
  const sheet = sheetOf((await readTable(bytesOf('\n\nadresa\nA\n\nB\n'))) as string[][], 2)
  assert.deepEqual(sheet.headers, ['adresa'])
  assert.deepEqual(
    sheet.rows.map(({ number, cells }) => [number, cells[0]]),
    [
      [4, 'A'],
      [6, 'B'],
    ],
  )
})

test('a file that is not a table is recognised, with the reason', async () => {
  assert.equal(await readTable(bytesOf('')), 'fileEmpty')
  assert.equal(await readTable(bytesOf('adresa\n')), 'fileEmpty')
  assert.equal(await readTable(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0])), 'fileOldExcel')
  assert.equal(await readTable(bytesOf('PK\u0003\u0004 not a zip')), 'fileUnreadable')
  assert.equal(await readTable(await makeZip([{ name: 'word/document.xml', text: '<x/>' }])), 'fileUnreadable')
})

test('five thousand rows are read in pieces, so that the page stays responsive', async () => {
  const line = 'A-1,"Strada Lipscani 12, București",10:00,12:00,Ioana Pop,0712345678,120\n'
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  const rows = await readCsv(bytesOf(line.repeat(5000)))
  const workbook = await writeXlsx('x', ['a'], rows)
  const before = turns
  assert.equal((await readXlsx(workbook)).length, 5001)
  clearInterval(timer)
  assert.ok(before >= 2 && turns > before + 5, `others had ${before} and ${turns - before} turns`)
})

test('a number of Excel with three decimals is not taken for thousands', async () => {
  const cells = ['12.345', '12.34', '1234.5', '0.125'].map((value) => `<c><v>${value}</v></c>`).join('')
  const [row] = await readXlsx(await excelFile(`<row>${cells}</row>`))
  assert.deepEqual(
    row?.map((text) => readMoney(text, { decimals: 2 })),
    ['tooFine', 12.34, 1_234.5, 'tooFine'],
  )
})
