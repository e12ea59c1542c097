import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressWord, isFound, mostWords, readSearch, type Searched, wordsOf } from './search.ts'

const task: Searched = {
  awb: 'KM-120045',
  phone: '+40712345678',
  address: 'Șos. Pipera nr.4, București',
  texts: ['Ștefan Țurcanu', 'Colet mic, 100% mătase', null],
}

/** By the words the server keeps, and by those a page makes. */
const finds = (q: string, searched = task) => {
  const both = [wordsOf(searched, '40'), wordsOf(searched)].map((words) => isFound(words, readSearch(q)))
  assert.equal(both[0], both[1], q)
  return both[0]
}

test('a task is found by the beginnings of its words, in any order, without accents and letter case', () => {
  for (const q of ['Stefan', 'ȘTEFAN', 'stefan turcanu', 'ţurcanu ştefan', 'turc', 'sos pipera 4', 'șos.pipera, nr. 4'])
    assert.ok(finds(q), q)
  for (const q of ['ipera', 'stefan victoriei', 'turcanux', '_', '%', '  ']) assert.ok(!finds(q), q)
})

test('a task is found by its number, whole, in part, and by how it ends', () => {
  for (const q of ['KM-120045', 'km120045', 'km-12', 'KM', '120045', '1200', '0045', '045']) assert.ok(finds(q), q)
  for (const q of ['km-45', '45', '004', '2004']) assert.ok(!finds(q), q)
})

test('a task is found by a phone as people type it, and by its last digits', () => {
  const typed = ['+40712345678', '0712345678', '0712 345 678', '0712-345-678', '(0712) 345 678', '0040 712 345 678']
  const begun = ['0712', '071234', '0712 345 67', '712345678', '40712']
  for (const q of [...typed, ...begun, '678', '5678']) assert.ok(finds(q), q)
  for (const q of ['0712 345 679', '78', '345']) assert.ok(!finds(q), q)
  assert.ok(finds('4221', { ...task, phone: 'int. 4221' }), 'also one that is kept as typed')
})

test('an address is the same however its street is abbreviated', () => {
  const ways = ['Strada Lipscani nr. 12, București', 'str. Lipscani 12 Bucuresti', 'STR Lipscani, Nr.12, București']
  assert.deepEqual(new Set(ways.map(addressWord)), new Set(['@strada lipscani 12 bucuresti']))
  assert.notEqual(addressWord('Aleea Lipscani 12, București'), addressWord(ways[0] as string))
  assert.equal(addressWord(' – '), undefined)
})

test('what a task keeps for searching is bounded', () => {
  const long = Array.from({ length: 500 }, (_, at) => `w${at}${'x'.repeat(100)}`).join(' ')
  const words = wordsOf({ ...task, texts: [long] }, '40')
  assert.ok(words.length <= mostWords)
  assert.ok(words.every((word) => word.length <= 120))
  assert.deepEqual(wordsOf({ awb: '📦', phone: '', address: '', texts: [] }, '40'), [])
})
