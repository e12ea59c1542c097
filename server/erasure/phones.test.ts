import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { aTask, makeDriver } from '../test/factories.ts'
import { makePng } from '../test/pictures.ts'
import { request, startServer } from '../test/server.ts'
import { openDevice } from '../test/sync-phones.ts'

/* What the app keeps on a phone, when the data of a customer is erased. */

const customer = { name: 'Zamfira Quintescu', phone: '0712345678' }

async function aPhone(t: TestContext) {
  const server = await startServer(t)
  const office = { ...server, ...(await server.another()) }
  const [ana, dan] = [await makeDriver(office), await makeDriver(office)]
  const network = { isMobile: false }
  const device = openDevice({
    url: server.url,
    driver: 0,
    offsetMs: 0,
    mostAtOnce: 50,
    carry: (_, api) => api,
    spoil: (ports) => ({ ...ports, isOnMobileData: () => network.isMobile }),
  })
  const phone = device.phone(0)
  const { code } = (await office.post(`/drivers/${ana.id}/invite`)).body
  await phone.signIn({ phone: ana.phone, code })
  const make = async (awb: string) =>
    (await office.post('/tasks', aTask({ awb, userId: ana.id, customer }))).body.task as { id: number }
  const give = (...tasks: number[]) => office.post(`/drivers/${dan.id}/tasks/bulkAssign`, { tasks })
  const end = (awb: string) => office.put(`/tasks/awb/${awb}/forceComplete`, { success: true })
  const erase = async () => (await office.post('/erasures', { phone: customer.phone })).body.counts.tasks as number
  const takePicture = async (taskId: number, bytes: ArrayBuffer = makePng(2, 2).buffer) => {
    const fileId = randomUUID()
    await phone.keepDone([{ type: 'photo', taskId, fileId }], [{ kind: 'photo', fileId, taskId, bytes }])
    return fileId
  }
  const read = async () => {
    const { tasks, taken, refused, files } = await phone.screen.read()
    const pictures = await device.ports.store.read((shelves) => shelves.pictures.getAll())
    const awbs = (some: { awb: string }[]) => some.map(({ awb }) => awb)
    return {
      tasks: awbs(tasks),
      taken: awbs(taken.map(({ task }) => task)),
      refused: awbs(refused),
      files: files.length,
      pictures: pictures.length,
    }
  }
  return { office, device, phone, network, make, give, end, erase, takePicture, read }
}

const nothing = { tasks: [], taken: [], refused: [], files: 0, pictures: 0 }

test('what a phone still shows of tasks that were given to another driver or deleted goes with them', async (t) => {
  const { office, phone, make, give, end, erase, read } = await aPhone(t)
  const given = await make('A-1')
  await make('A-2')
  await phone.wake()
  await give(given.id)
  await office.delete('/tasks/awb/A-2')
  await phone.keepDone([{ type: 'complete', taskId: given.id }])
  await phone.wake()
  assert.deepEqual(await read(), { ...nothing, taken: ['A-1', 'A-2'], refused: ['A-1'] })

  const [conflict] = (await office.get('/conflicts')).body.conflicts
  await office.post(`/conflicts/${conflict.id}/settle`, { apply: false, note: 'Dan will' })
  await end('A-1')
  assert.equal(await erase(), 2)
  await phone.wake()
  assert.deepEqual(await read(), nothing)
})

test('a phone that gets everything anew keeps nothing of what was erased', async (t) => {
  const { device, phone, make, end, erase, read } = await aPhone(t)
  await make('A-1')
  await phone.wake()
  await end('A-1')
  await erase()
  await device.ports.store.change(({ facts }) => facts.delete('cursor'))
  await phone.wake()
  assert.deepEqual(await read(), nothing)
})

test('pictures of a task that has left the phone go once they were sent, or not accepted', async (t) => {
  const { office, phone, network, make, give, end, erase, takePicture, read } = await aPhone(t)
  await office.put('/company', { settings: { uploadPhotosOnWifi: true } })
  const task = await make('A-1')
  await phone.wake()
  await takePicture(task.id, new TextEncoder().encode('no picture').buffer)
  await phone.wake()
  network.isMobile = true
  await takePicture(task.id)
  await phone.wake()
  await give(task.id)
  await phone.wake()
  assert.deepEqual(await read(), { ...nothing, taken: ['A-1'], refused: ['A-1'], files: 2, pictures: 2 })

  await end('A-1')
  await erase()
  await phone.wake()
  assert.deepEqual(await read(), { ...nothing, files: 1, pictures: 1 }, 'what waits for a network is sent first')
  network.isMobile = false
  await phone.wake()
  assert.equal((await read()).pictures, 0)
})

test('what a phone holds tells it nothing of tasks that were never its driver’s', async (t) => {
  const { office, phone, make, give, end, erase } = await aPhone(t)
  const own = await make('A-1')
  const stranger = (await office.post('/tasks', aTask({ awb: 'A-2', customer }))).body.task
  await phone.wake()
  await give(own.id, stranger.id)
  for (const awb of ['A-1', 'A-2']) await end(awb)
  assert.equal(await erase(), 2)
  const { session } = await phone.screen.read()
  const { body } = await request(office.url, 'POST', '/api/v1/driver/sync', {
    key: session?.token as string,
    body: { deviceTime: new Date().toISOString(), holds: [own.id, stranger.id] },
  })
  assert.deepEqual(body.changes.erased, [own.id])
})
