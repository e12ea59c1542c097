import { once } from 'node:events'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { amountsOf, seedOr } from '../proofs.ts'
import { ask, endure, isLong, openSocket, repeat, startTarget, type Target } from './target.ts'
import { makeShape, type Shape } from './wire-shapes.ts'

/*
 * Looks for the next relative of one-byte chunks: requests that cost the server far more than their sender. Each shape is
 * sent by many connections at once while good clients work; by night they must not wait. To repeat one:
 * npm run test:nightly -- --seed=<its number> hostile, where it is the first.
 */

const seed = seedOr(20_261_117)
const shapes = amountsOf('hostile')['shapes of requests']
const shapeMs = isLong ? 3_000 : 1_000
/** How long a client waits for an answer. */
const patienceMs = 2_000
let target: Target
before(async () => {
  target = await startTarget()
})

async function send({ writes, pauseMs, ending }: Shape, isOver: () => boolean) {
  const socket = await openSocket(target)
  const closed = once(socket, 'close').catch(() => {})
  const answered = ending === 'reads nothing' ? closed : once(socket, 'data').catch(() => {})
  for (const bytes of writes) {
    if (socket.destroyed || isOver()) break
    socket.write(bytes)
    if (pauseMs > 0) await sleep(pauseMs)
  }
  if (ending === 'closes its side') socket.end()
  if (ending === 'resets') socket.resetAndDestroy()
  else await Promise.race([answered, closed, sleep(ending === 'leaves' ? 20 : patienceMs)])
  socket.destroy()
}

async function readWorkedMs() {
  const { text } = await ask(target, 'GET', '/metrics')
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1_000
}

for (let index = 0; index < shapes; index += 1)
  test(`requests of shape ${seed + index} harm nobody else`, async (t) => {
    const shape = makeShape(seed + index, target.key)
    t.diagnostic(shape.about)
    const before = await readWorkedMs()
    let sent = 0
    await endure(
      t,
      target,
      async (isOver) => {
        await repeat(isLong ? 200 : 40, async () => {
          while (!isOver()) {
            await send(shape, isOver)
            sent += 1
          }
        })
      },
      undefined,
      shapeMs,
    )
    const each = ((await readWorkedMs()) - before) / sent
    t.diagnostic(`${sent} sent, ${each.toFixed(1)} ms of the server for each`)
  })
