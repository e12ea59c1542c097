/** It could not be kept on the phone, and the driver has been told so: whoever waits for it only has to stop. */
export class NotKept extends Error {}

/** What the driver reads, on the screen where the tap was. */
export type Trouble = 'phoneFull' | 'notSaved'

export type OrTell = <Result>(write: () => Promise<Result>) => Promise<Result>

export function createTrouble(isFull: (error: unknown) => boolean) {
  let trouble: Trouble | undefined
  const listeners = new Set<() => void>()

  function tell(news: Trouble | undefined) {
    if (trouble === news) return
    trouble = news
    for (const listener of listeners) listener()
  }

  /**
   * Everything a driver does is written through this: if it fails, it is said on the screen, whether or not the caller
   * looks at the result. What is written next takes the sentence away.
   */
  const orTell: OrTell = async (write) => {
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

  return {
    orTell,
    current: () => trouble,
    /** The driver has read it. */
    dismiss: () => tell(undefined),
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
