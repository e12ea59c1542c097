import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../contract/errors.ts'
import { PersonInput } from '../../contract/person.ts'
import { reader } from '../../contract/read/reader.ts'
import { Name, Text, Whole } from '../../contract/schema.ts'
import { Type } from '../../contract/type.ts'
import { WaybillError } from '../../sdk/calls.ts'
import { sayIn } from '../test/words.ts'
import { itemProblem, problemText } from './problem.ts'

const [english, romanian] = [sayIn('en'), sayIn('ro')]

test('a refusal is shown in the language of the page', () => {
  const taken = new WaybillError(409, { code: 'AWB_TAKEN', message: 'Another task already has AWB A-1' })
  assert.equal(problemText(taken, english), 'Another task already has this AWB')
  assert.equal(problemText(taken, romanian), 'Există deja o comandă cu acest AWB')

  const wrong = new WaybillError(401, { code: 'UNAUTHORIZED', message: 'Wrong email or password' })
  assert.equal(problemText(wrong, romanian, { UNAUTHORIZED: 'wrongSignIn' }), 'E-mail sau parolă greșită')
})

test('errors only a program can cause are never shown literally', () => {
  assert.equal(
    problemText(new WaybillError(400, { code: 'INVALID_JSON', message: '{' }), romanian),
    'A apărut o eroare',
  )
  assert.equal(itemProblem(undefined, english), 'Something went wrong')
  assert.equal(problemText(new RangeError('Invalid time value'), romanian), 'A apărut o eroare')
  const notLoaded = new TypeError('Failed to fetch dynamically imported module: https://example.org/assets/a.js')
  assert.equal(problemText(notLoaded, romanian), 'Serverul nu răspunde')
  assert.equal(problemText(new Error('Unable to preload CSS for /assets/a.css'), romanian), 'Serverul nu răspunde')
})

test('a problem with a field is shown in the language of the page, with its limit', () => {
  const told = (schema: Parameters<typeof Type.Object>[0][string], value: unknown) => {
    try {
      reader(Type.Object({ field: schema }))({ field: value })
    } catch (error) {
      if (error instanceof Refusal) return [english, romanian].map((say) => itemProblem(error, say))
    }
    return []
  }
  assert.deepEqual(told(Text(10), undefined), ['This field is required', 'Câmp obligatoriu'])
  assert.deepEqual(told(Text(10, { minLength: 1 }), ''), ['This field is required', 'Câmp obligatoriu'])
  assert.deepEqual(told(Text(10), 'x'.repeat(11)), ['Enter at most 10 characters', 'Introdu cel mult 10 caractere'])
  assert.deepEqual(told(Text(500), 'x'.repeat(501))[1], 'Introdu cel mult 500 de caractere')
  assert.deepEqual(told(Whole({ minimum: 5 }), 4), ['Enter a number of at least 5', 'Introdu un număr de cel puțin 5'])
  assert.deepEqual(told(Whole({ maximum: 480 }), 481)[1], 'Introdu un număr de cel mult 480')
  assert.deepEqual(told(Whole(), 1.5), ['Enter a whole number', 'Introdu un număr întreg'])
  assert.deepEqual(told(PersonInput.properties.email, 'nobody'), [
    'Enter a valid email address',
    'Introdu o adresă de e-mail validă',
  ])
  assert.deepEqual(told(Name(), ' '), ['field must be 1 to 120 characters, not only spaces', 'Valoarea nu este validă'])
})
