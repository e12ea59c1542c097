import type { OpInput } from '../../contract/op.ts'
import type { OpResult, PhoneChanges } from '../../contract/sync.ts'
import type { Ports, Server } from '../../phone/ports.ts'
import type { Database } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/*
 * What could be wrong with a phone or with the server, one thing at a time. The model test is worth what it finds of
 * this.
 */

export interface Fault {
  phone?: (ports: Ports) => Ports
  server?: (server: Server, place: { database: Pick<Database, 'everyone'>; organisationId: number }) => Server
}

type Sync = Parameters<Server['syncDriver']>[0]['body']
type Answer = Awaited<ReturnType<Server['syncDriver']>>

/** Other ops are sent, or other things are answered, than should be. */
const changing =
  (ask: (body: Sync & { ops: OpInput[] }) => Sync, tell: (answer: Answer, body: Sync) => Answer = (answer) => answer) =>
  (server: Server): Server => ({
    ...server,
    syncDriver: async ({ body }) =>
      tell(await server.syncDriver({ body: ask({ ...body, ops: (body.ops ?? []) as OpInput[] }) }), body),
  })
const telling = (tell: (changes: PhoneChanges) => Partial<PhoneChanges>) =>
  changing(
    (body) => body,
    (answer) => ({ ...answer, changes: { ...answer.changes, ...tell(answer.changes) } }),
  )
const answering = (answer: (result: OpResult) => OpResult) =>
  changing(
    (body) => body,
    (told) => ({ ...told, results: told.results.map(answer) }),
  )
const asPhone =
  (wrap: (server: Server) => Server) =>
  (ports: Ports): Ports => ({ ...ports, connect: (token) => wrap(ports.connect(token)) })

const backwards = changing(
  (body) => ({ ...body, ops: body.ops.toReversed() }),
  (answer) => ({ ...answer, results: answer.results.toReversed() }),
)

export const faults: Record<string, Fault> = {
  'a phone sends the newest first': { phone: asPhone(backwards) },
  'the server forgets what it has answered': {
    server: (server, { database, organisationId }) => ({
      ...server,
      async syncDriver(given) {
        const answer = await server.syncDriver(given)
        await database.everyone.run(sql`delete from ops where organisation_id = ${organisationId}`)
        return answer
      },
    }),
  },
  'a phone forgets what it sends before that is answered': {
    phone: (ports) =>
      asPhone((server) => ({
        ...server,
        async syncDriver(given) {
          const sent = new Set((given.body.ops as OpInput[]).map(({ opId }) => opId))
          await ports.store.change(async ({ ops }) => {
            for (const { place, op } of await ops.getAll()) if (sent.has(op.opId)) await ops.delete(place)
          })
          return server.syncDriver(given)
        },
      }))(ports),
  },
  'a phone tells when it sends something instead of when it was done': {
    phone: asPhone(
      changing((body) => ({ ...body, ops: body.ops.map((op) => ({ ...op, occurredAt: body.deviceTime })) })),
    ),
  },
  'a phone says that pictures are sent, and sends none': {
    phone: asPhone((server) => ({ ...server, uploadFile: async () => ({}) as never })),
  },
  'a phone keeps how far it knows the route, but not the route': {
    phone: (ports) => ({
      ...ports,
      store: {
        ...ports.store,
        change: (run, durable) =>
          ports.store.change(
            (shelves) => run({ ...shelves, tasks: { ...shelves.tasks, put: async () => {} } }),
            durable,
          ),
      },
    }),
  },
  'a phone keeps an end that was undone': {
    phone: (ports) => ({
      ...ports,
      store: {
        ...ports.store,
        change: (run, durable) =>
          ports.store.change(async (shelves) => {
            const held = (await shelves.ops.getAll()).filter(({ heldUntilMs }) => heldUntilMs !== undefined)
            const result = await run(shelves)
            for (const one of held)
              if (result === true && !(await shelves.ops.get(one.place))) await shelves.ops.put(one)
            return result
          }, durable),
      },
    }),
  },
  'a phone takes what was refused for done': {
    phone: asPhone(answering(({ opId }) => ({ opId, success: true }))),
  },
  'the server says that the last op is done, and does nothing': {
    server: changing(
      (body) => ({ ...body, ops: body.ops.slice(0, -1) }),
      (answer, { ops = [] }) => {
        const last = (ops as OpInput[]).at(-1)
        return { ...answer, results: [...answer.results, ...(last ? [{ opId: last.opId, success: true }] : [])] }
      },
    ),
  },
  'the server applies what comes in one request in the opposite order': { server: backwards },
  'the server leaves out what changed': { server: telling(({ full }) => (full ? {} : { tasks: [] })) },
  'the server does not tell what was taken away': { server: telling(({ full }) => (full ? {} : { removed: [] })) },
  'the server does not tell what the office decided': { server: telling(() => ({ settled: [] })) },
  'the server keeps what was refused, and tells nobody': {
    server: answering(({ conflict: _, ...result }) => result),
  },
}
