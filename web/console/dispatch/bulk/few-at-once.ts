const lanes = 6

interface Options<Item> {
  act: (item: Item) => Promise<unknown>
  /** Whether the same error would happen for all others too. */
  isHopeless: (error: unknown) => boolean
  onProgress: (finished: number) => void
}

/** Does something to every item, a few at once. Returns what is left undone, and the first reason. */
export async function doFewAtOnce<Item>(items: readonly Item[], { act, isHopeless, onProgress }: Options<Item>) {
  const left = new Set(items)
  const waiting = items.values()
  const errors: unknown[] = []
  let stopped = false
  const lane = async () => {
    for (const item of waiting) {
      if (stopped) return
      try {
        await act(item)
        left.delete(item)
      } catch (error) {
        errors.push(error)
        stopped ||= isHopeless(error)
      }
      onProgress(items.length - left.size + errors.length)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { left: [...left], why: errors[0] }
}
