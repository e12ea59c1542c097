import type { Counts } from './ledger.ts'
import type { Receiver } from './receiver.ts'

const redrawMs = 500
const repeatMs = 10_000

export const tallyLine = (
  { done, failed, onTheWay, assigned, waiting, late }: Counts,
  webhooks: Receiver['tally'] | undefined,
) =>
  [
    `${done} done`,
    `${failed} failed`,
    `${onTheWay} on the way`,
    `${assigned} assigned`,
    `${waiting} waiting`,
    `${late} late`,
    ...(webhooks ? [`webhooks: ${webhooks.received} received, ${webhooks.refused} refused`] : []),
  ].join(' · ')

export type Screen = ReturnType<typeof openScreen>

/** Sentences, and below them a status line: redrawn on a terminal, otherwise repeated now and then. */
export function openScreen() {
  const stream = process.stdout
  let timer: NodeJS.Timeout | undefined
  const clear = () => {
    if (stream.isTTY) stream.write('\r\u001b[K')
  }
  return {
    say(text: string) {
      clear()
      console.log(text)
    },
    /** Shows it from now on. */
    follow(line: () => string) {
      const draw = () => {
        if (stream.isTTY) stream.write(`\r\u001b[K  ${line().slice(0, Math.max(20, stream.columns - 3))}`)
        else console.log(line())
      }
      clearInterval(timer)
      draw()
      timer = setInterval(draw, stream.isTTY ? redrawMs : repeatMs)
    },
    close() {
      clearInterval(timer)
      clear()
    },
  }
}
