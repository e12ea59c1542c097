import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmail } from './email.ts'

test('an email address is one address, and nothing that would change the headers of a message', () => {
  for (const text of ['ana@example.com', "o'hara+box@mail.example.co.uk", 'ștefan@exemplu.ro', 'ana@localhost'])
    assert.ok(isEmail(text), text)
  for (const text of [
    '',
    'ana',
    '@example.com',
    'ana@',
    'ana@@example.com',
    'ana@b@example.com',
    'ana b@example.com',
    'ana@example.com\n',
    'ana@example.com\r\nBcc: all@example.com',
    'ana@example.com, dan@example.com',
    'Ana <ana@example.com>',
    'ana@example.com;dan',
    `${'a'.repeat(250)}@b.ro`,
    'ana@exam\u0000ple.com',
  ])
    assert.ok(!isEmail(text), JSON.stringify(text))
})
