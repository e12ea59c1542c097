import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, operations } from '../../contract/operations.ts'
import { roles } from '../../contract/person.ts'
import { lackingScopes, type Scope, scopes } from '../../contract/scopes.ts'
import { addPerson, anEmail } from './people.ts'
import { request, startServer, type TestServer } from './server.ts'

/*
 * A caller with fewer rights cannot change one with more. Every operation that changes a key or a person is found in
 * the table of operations, and called by callers with few and with many rights on targets with few and with many.
 */

/** What has rights of its own, by the name an operation calls its id. */
const holders = {
  keyId: {
    path: '/keys',
    list: 'keys',
    kinds: [['tasks:read'], ['keys:write'], roles.dispatcher, ['*']],
    make: async (server: TestServer, rights: readonly string[]) =>
      (await server.post('/keys', { name: 'Target', scopes: rights })).body.key.id as number,
  },
  personId: {
    path: '/people',
    list: 'people',
    kinds: [roles.dispatcher, roles.admin],
    make: async (server: TestServer, rights: readonly string[]) => {
      const role = rights.includes('*') ? 'admin' : 'dispatcher'
      return (await server.post('/people', { email: anEmail(), role })).body.person.id as number
    },
  },
} as const

const changing = Object.entries<Operation>(operations).flatMap(([name, operation]) => {
  const param = (Object.keys(holders) as (keyof typeof holders)[]).find((one) => operation.params?.properties[one])
  return param && operation.scope && operation.method !== 'GET' ? [{ name, param, ...operation }] : []
})

interface Field {
  enum?: string[]
  type?: string
}

/** Nothing, and every field by itself with a value that changes something. */
function bodiesFor({ body }: Operation): Record<string, unknown>[] {
  const fields = Object.entries((body?.properties ?? {}) as Record<string, Field>)
  const one = ([name, field]: [string, Field]) =>
    (field.enum ?? [field.type === 'integer' ? 1 : 'Changed']).map((value) => ({ [name]: value }))
  return [{}, ...fields.flatMap(one)]
}

async function makeCallers(server: TestServer) {
  const byKey = async (...rights: string[]) => {
    const { secret } = (await server.post('/keys', { name: 'Caller', scopes: rights })).body.key
    const call = (method: string) => (path: string, body: object) =>
      request(server.url, method, `/api/v1${path}`, { key: secret, body })
    return { rights: rights as readonly string[], call }
  }
  const bySession = async (role: keyof typeof roles) => {
    const { call } = await addPerson(server, role)
    return { rights: roles[role] as readonly string[], call }
  }
  const needed = [...new Set(changing.map(({ scope }) => scope as Scope))]
  return [
    ...(await Promise.all(needed.map((scope) => byKey(scope)))),
    await byKey(...needed, 'tasks:read'),
    await byKey(...needed, ...roles.dispatcher),
    await byKey(...scopes),
    await byKey('*'),
    await bySession('dispatcher'),
    await bySession('admin'),
  ]
}

test('no caller can change a key or a person with more rights than their own', async (t) => {
  const server = await startServer(t)
  const callers = await makeCallers(server)
  assert.deepEqual(Object.keys(holders), [...new Set(changing.map(({ param }) => param))])
  for (const operation of changing) {
    const { path, list, kinds, make } = holders[operation.param]
    const shown = async (id: number) => (await server.get(path)).body[list].find((one: { id: number }) => one.id === id)
    await Promise.all(
      kinds.map(async (targetRights) => {
        let targetId = await make(server, targetRights)
        let before = await shown(targetId)
        for (const { rights, call } of callers)
          for (const body of bodiesFor(operation)) {
            const wanted = [operation.scope as Scope, ...targetRights, ...(roles[body['role'] as 'admin'] ?? [])]
            const isAllowed = lackingScopes(rights, wanted).length === 0
            const target = operation.path.replace('/api/v1', '').replace(/:\w+/, String(targetId))
            const { status, text } = await call(operation.method)(target, body)
            const says = `${operation.name} ${JSON.stringify(body)} by ${rights} on ${targetRights}: ${text}`
            assert.equal(status, isAllowed ? 200 : 403, says)
            if (isAllowed) {
              targetId = await make(server, targetRights)
              before = await shown(targetId)
            } else assert.deepEqual(await shown(targetId), before, says)
          }
      }),
    )
  }
})
