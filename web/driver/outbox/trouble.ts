import { useSyncExternalStore } from 'react'
import { isFull } from '../store/database.ts'

/** It could not be kept on the phone, and the driver has been told so: whoever waits for it only has to stop. */
export class NotKept extends Error {}

/** What the driver reads, on the screen where the tap was. */
type Trouble = 'phoneFull' | 'notSaved'

let trouble: Trouble | undefined
const listeners = new Set<() => void>()

function tell(news: Trouble | undefined) {
  if (trouble === news) return
  trouble = news
  for (const listener of listeners) listener()
}

/**
 * Everything a driver does is written through this: if it fails, it is said on the screen, whether or not the caller looks
 * at the result. What is written next takes the sentence away.
 */
export async function orTell<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    const result = await write()
    tell(undefined)
    return result
  } catch (error) {
    if (error instanceof NotKept) throw error
    tell(isFull(error) ? 'phoneFull' : 'notSaved')
    throw new NotKept('It was not kept', { cause: error })
  }
}

/** The driver has read it. */
export const dismissTrouble = () => tell(undefined)
export const currentTrouble = () => trouble

export const useTrouble = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentTrouble)
