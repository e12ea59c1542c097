import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { examples } from './examples.ts'
import { openApiDocument } from './openapi.ts'
import { type Operation, type OperationName, operations } from './operations.ts'
import { reader } from './read/reader.ts'

interface Described {
  operationId: string
  summary: string
  description: string
  responses: Record<string, { description: string }>
}

const all = Object.entries(operations) as [OperationName, Operation][]

test('every body has an example, and every example is a good body', () => {
  for (const [name, { body }] of all) {
    assert.equal(examples[name] !== undefined, body !== undefined, name)
    if (body) assert.doesNotThrow(() => reader(body)(examples[name]), name)
  }
})

test('the table has every operation of every file, and every file one tag', async () => {
  const names: string[] = []
  for await (const file of glob('operations/*.ts', { cwd: import.meta.dirname })) {
    const tables = Object.entries<Record<string, Operation>>(await import(join(import.meta.dirname, file)))
      .filter(([name]) => name.endsWith('Operations'))
      .map(([, table]) => table)
    names.push(...tables.flatMap(Object.keys))
    if (tables.length)
      assert.equal(new Set(tables.flatMap(Object.values<Operation>).map(({ tag }) => tag)).size, 1, file)
  }
  // A name given twice would silently replace the first.
  assert.deepEqual(names.sort(), Object.keys(operations).sort())
})

test('the document refers only to what it has, and describes every operation, parameter and refusal', () => {
  const document = openApiDocument('1', 'http://test') as {
    components: { schemas: object }
    paths: Record<string, object>
  }
  const text = JSON.stringify(document)
  for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g))
    assert.ok(Object.hasOwn(document.components.schemas, name as string), String(name))
  assert.ok(!text.includes('"x-'), 'our own keywords stay inside')
  const described = Object.values(document.paths).flatMap((path) => Object.values(path) as Described[])
  assert.equal(described.length, all.length)
  for (const { operationId, summary, description, responses } of described) {
    assert.ok(summary && description, operationId)
    for (const [status, response] of Object.entries(responses))
      if (Number(status) >= 400) assert.match(response.description, /`[A-Z_]+`: /, `${operationId} ${status}`)
  }
})
