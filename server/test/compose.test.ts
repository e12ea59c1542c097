import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { thriftyFlags } from '../../bin/thrift.js'
import { readConfig, variables } from '../config.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFile(join(root, name), 'utf8')

/** `NAME: value` of our processes, with the defaults of Compose where nothing is given. */
async function readEnvironment(): Promise<Record<string, string>> {
  const text = (await read('compose.yaml')).replace(/^ {2}(database|caddy):\n(?: {4}.*\n|\n)*/gm, '')
  const lines = [...text.matchAll(/^ {4,6}([A-Z][A-Z_]+): (.+)$/gm)] as unknown as [string, string, string][]
  const filled = (value: string) =>
    value
      .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
      .replace(/\$\{\w+:\?[^}]*\}/g, 'secret')
      .replace(/^"(.*)"$/, '$1')
  return Object.fromEntries(lines.map(([, name, value]) => [name, filled(value)]))
}

test('every variable in compose.yaml exists, and the server accepts its value', async () => {
  const environment = await readEnvironment()
  assert.deepEqual(
    Object.keys(environment).filter((name) => !Object.hasOwn(variables, name)),
    [],
  )
  const config = readConfig(environment)
  assert.equal(config.databaseUrl, 'postgres://waybill:secret@database:5432/waybill')
  assert.deepEqual([config.host, config.trustProxy, config.publicUrl], ['0.0.0.0', true, 'https://localhost'])
  const roles = [...(await read('compose.yaml')).matchAll(/WAYBILL_ROLE: (\w+)/g)].map(([, role]) => role)
  assert.deepEqual(roles, ['api', 'worker'])
})

test('the image contains every folder the server needs', async () => {
  const copied = new Set([...(await read('Dockerfile')).matchAll(/^COPY (\w+) \1$/gm)].map(([, folder]) => folder))
  const needed = new Set<string>()
  for await (const file of glob('{cli,server}/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|^server\/test\//.test(file)) continue
    needed.add(file.split('/')[0] as string)
    for (const [, path] of (await read(file)).matchAll(/from '(\.[^']+)'/g))
      needed.add(join(file, '..', path as string).split('/')[0] as string)
  }
  assert.deepEqual(
    [...needed].filter((folder) => !copied.has(folder)),
    [],
  )
})

test('the image starts the server with the same flags as the launcher', async () => {
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(await read('Dockerfile')) ?? []
  assert.deepEqual(JSON.parse(command), ['node', ...thriftyFlags, 'cli/waybill.ts', 'serve'])
})
