import type { Progress } from '../server/backup/backup.ts'

const width = 24
const everyMs = 100

/**
 * A bar on a terminal, nothing elsewhere: a nightly job should print one line. `print` is for sentences in between.
 */
export function openBar(title: string, stream: NodeJS.WriteStream = process.stderr) {
  const begun = performance.now()
  let shown = Number.NEGATIVE_INFINITY

  const clear = () => {
    if (stream.isTTY) stream.write('\r\u001b[K')
  }
  return {
    seconds: () => ((performance.now() - begun) / 1000).toFixed(1),
    show({ doing, part, rows }: Omit<Progress, 'rows'> & { rows?: number }) {
      if (!stream.isTTY || performance.now() - shown < everyMs) return
      shown = performance.now()
      const full = Math.round(Math.min(1, part) * width)
      const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`
      const percent = `${Math.floor(Math.min(1, part) * 100)} %`.padStart(5)
      const line = `${title}  ${bar} ${percent}  ${rows === undefined ? '' : `${count(rows)} rows  `}${doing}`
      stream.write(`\r\u001b[K${line.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`)
    },
    print(sentence: string) {
      clear()
      stream.write(`${sentence}.\n`)
    },
    clear,
  }
}

export const count = (number: number) => number.toLocaleString('en')

export const size = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${count(Math.round(bytes / 100_000) / 10)} MB`

/** Ctrl-C and similar, as an abort signal: half-done work is rolled back before we exit. */
export async function untilInterrupted<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('Stopped; nothing was changed'))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of signals) process.on(name, stop)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of signals) process.off(name, stop)
  }
}
