import { callNames, deadAfterMs } from '../../../contract/live.ts'
import { readMessages } from '../../live/sse.ts'
import { phone } from './phone.ts'

const { wake } = phone

const pauseMs = [1_000, 2_000, 5_000, 15_000]

/** Syncs whenever the server says so, for as long as the app is looked at. */
export function followCalls(token: string): () => void {
  const stopped = new AbortController()
  let failures = 0

  const connect = async () => {
    const silent = new AbortController()
    let timer = setTimeout(() => silent.abort(), deadAfterMs)
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), deadAfterMs)
    }
    try {
      const response = await fetch('/api/v1/driver/stream', {
        headers: { authorization: token },
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.any([stopped.signal, silent.signal]),
      })
      if (response.status === 401) void wake()
      if (!response.ok || !response.body) throw new Error(`The server answered ${response.status}`)
      failures = 0
      for await (const { event } of readMessages(response.body, heard)) if (event === callNames.sync) void wake()
    } catch {
      // Tried again below, as after a normal end.
    } finally {
      clearTimeout(timer)
    }
    if (stopped.signal.aborted) return
    const pause = pauseMs[Math.min(failures, pauseMs.length - 1)]
    failures += 1
    setTimeout(() => !stopped.signal.aborted && void connect(), pause)
  }
  void connect()
  return () => stopped.abort()
}

/** What is held can only be undone by a driver who looks at it. What fails here goes out later. */
const letGo = () => void phone.releaseEnds().then(wake, () => {})

/** Syncs when there is a reason to expect something: now, when the app is opened, when the network is back, when called. */
export function keepInTouch(token: string): () => void {
  const ended = new AbortController()
  let stop: (() => void) | undefined
  const look = () => {
    stop?.()
    stop = undefined
    if (document.visibilityState !== 'visible') return void letGo()
    void wake()
    stop = followCalls(token)
  }
  document.addEventListener('visibilitychange', look, { signal: ended.signal })
  window.addEventListener('pagehide', letGo, { signal: ended.signal })
  window.addEventListener('online', look, { signal: ended.signal })
  window.addEventListener('pageshow', ({ persisted }) => persisted && look(), { signal: ended.signal })
  look()
  // What an app that was closed or killed had not sent yet.
  letGo()
  return () => {
    ended.abort()
    stop?.()
  }
}
