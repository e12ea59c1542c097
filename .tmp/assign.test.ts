import { test } from 'node:test'
import pg from 'pg'
import { aTask, makeDriver } from '../server/test/factories.ts'
import { startServer } from '../server/test/server.ts'
const original = pg.Client.prototype.query
let on = false
pg.Client.prototype.query = function (...args: any[]) {
  const begun = performance.now()
  const r = (original as any).apply(this, args)
  if (on && r?.then) r.then((x: any) => { const ms = performance.now() - begun; console.log(ms.toFixed(1), 'ms', x.rowCount, String(args[0].text).replace(/\s+/g, ' ').slice(0, 100)) })
  return r
} as any
test('x', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  for (let round = 0; round < 3; round++) {
    const awbs = Array.from({ length: 1000 }, (_, i) => `T${round}-${i}`)
    on = true
    let b = performance.now()
    await server.post('/tasks/bulkCreate', { tasks: awbs.map((awb) => aTask({ awb })) })
    console.log('create', performance.now() - b)
    b = performance.now()
    const r = await fetch(server.url + '/api/v1/containers/drivers/' + driver.id, { method: 'PUT', headers: { authorization: server.key, 'content-type': 'application/json' }, body: JSON.stringify({ tasks: awbs }) })
    await r.text()
    console.log('assign', performance.now() - b)
    on = false
  }
})
