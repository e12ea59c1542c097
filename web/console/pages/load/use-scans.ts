import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import {
  answer,
  emptyQueue,
  forget,
  nextBatch,
  type Queue,
  type ReadCode,
  read,
  type Scanned,
  sendAgain,
} from './queue.ts'

const keptUnder = 'waybill.scans'
const retryMs = 3_000

/** What a reload of the page must not lose. */
function keptQueue(): Queue {
  try {
    const { next, waiting, refused } = JSON.parse(sessionStorage.getItem(keptUnder) ?? '') as Queue
    return { next, waiting, refused, answered: [] }
  } catch {
    return emptyQueue
  }
}

/** Sends what is read, one request at a time, and again once the network is back. */
export function useScans(onAnswer: (scanned: Scanned) => void) {
  const [queue, setQueue] = useState(keptQueue)
  const [error, setError] = useState<unknown>()
  const latest = useRef(queue)
  const isSending = useRef(false)
  const told = useRef(onAnswer)
  told.current = onAnswer

  const change = useCallback((make: (queue: Queue) => Queue) => {
    latest.current = make(latest.current)
    sessionStorage.setItem(keptUnder, JSON.stringify({ ...latest.current, answered: [] }))
    setQueue(latest.current)
  }, [])

  const send = useCallback(async () => {
    if (isSending.current) return
    isSending.current = true
    try {
      for (let batch = nextBatch(latest.current); batch.length > 0; batch = nextBatch(latest.current)) {
        const scans = batch.map(({ code, at, userId }) => ({ code, at, userId }))
        const { results } = await api.bulkCreateScans({ body: { scans } })
        change((queue) => answer(queue, batch, results))
        for (const { data } of results) if (data) told.current(data)
      }
      setError(undefined)
    } catch (problem) {
      setError(problem)
    } finally {
      isSending.current = false
    }
  }, [change])

  // A browser does not always say that the network is back.
  useEffect(() => {
    if (error === undefined) return
    const timer = setInterval(() => void send(), retryMs)
    return () => clearInterval(timer)
  }, [error, send])

  useEffect(() => {
    void send()
    const again = () => void send()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [send])

  const act = (make: (queue: Queue) => Queue) => {
    change(make)
    void send()
  }
  return {
    queue,
    /** Why the last request did not arrive. */
    error,
    send,
    read: (given: Omit<ReadCode, 'number'>) => act((queue) => read(queue, given)),
    sendAgain: (number: number) => act((queue) => sendAgain(queue, number)),
    forget: (number: number) => act((queue) => forget(queue, number)),
  }
}
