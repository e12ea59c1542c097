import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { aTask, makeDriver, signIn } from '../factories.ts'
import { ask, endure, isLong, repeat, startTarget, type Target } from './target.ts'

/* A driver fills their own tasks with as much as can be sent, while others read what became of it. */

let target: Target
before(async () => {
  target = await startTarget()
})

const paths = ['/api/v1/events?limit=1000', '/api/v1/tasks', '/api/v1/conflicts', '/api/v1/events']

test('a driver who fills tasks with notes makes nothing unreadable', async (t) => {
  const post = async (path: string, body?: unknown) => {
    const { text } = await ask(target, 'POST', `/api/v1${path}`, body as object | undefined)
    return { body: JSON.parse(text) }
  }
  const driver = await makeDriver({ post })
  const own = { ...target, key: await signIn({ post }, driver) }
  const awbs = Array.from({ length: isLong ? 20 : 2 }, () => randomUUID())
  const tasks = awbs.map((awb) => aTask({ awb, userId: driver.id }))
  const { results } = (await post('/tasks/bulkCreate', { tasks })).body
  const ids: number[] = results.map(({ data }: { data: { id: number } }) => data.id)
  const note = 'x'.repeat(3_900)
  const deviceTime = () => new Date().toISOString()

  await endure(t, target, async (isOver) => {
    const flood = async (turn: number) => {
      for (let sent = turn; !isOver(); sent += 1) {
        const taskId = ids[sent % ids.length]
        const ops = Array.from({ length: isLong ? 200 : 40 }, () => ({
          opId: randomUUID(),
          type: 'note',
          taskId,
          occurredAt: deviceTime(),
          note,
        }))
        const { status } = await ask(own, 'POST', '/api/v1/driver/sync', { deviceTime: deviceTime(), ops })
        assert.equal(status, 200)
      }
    }
    const read = async (turn: number) => {
      for (let asked = turn; !isOver(); asked += 1) {
        const path = asked % 5 === 4 ? `/api/v1/tasks/${ids[asked % ids.length]}` : (paths[asked % 4] as string)
        const { status, text } = await ask(target, 'GET', path)
        assert.equal(status, 200, path)
        assert.ok(text.length < 64 * 2 ** 20, `${path}: ${text.length} bytes`)
      }
    }
    await Promise.all([repeat(2, flood), repeat(2, read)])
  })
  for (const id of ids) assert.equal((await ask(target, 'GET', `/api/v1/tasks/${id}`)).status, 200)
})
