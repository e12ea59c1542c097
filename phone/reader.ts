interface Listener<Value> {
  onRead: (value: Value) => void
  onFailed: () => void
}

/**
 * Reads whenever it is asked, and once more if it is asked while it reads. A read that fails is said and tried again by
 * itself: nobody is left with what was true before.
 */
export function createReader<Value>(
  read: () => Promise<Value>,
  { onRead, onFailed }: Listener<Value>,
  later: (run: () => void) => void,
): () => Promise<void> {
  let isStale = false
  let isReading = false
  let isRetryComing = false
  const ask = async () => {
    isStale = true
    if (isReading) return
    isReading = true
    try {
      while (isStale) {
        isStale = false
        const value = await read()
        if (!isStale) onRead(value)
      }
    } catch {
      onFailed()
      if (!isRetryComing) later(retry)
      isRetryComing = true
    } finally {
      isReading = false
    }
  }
  const retry = () => {
    isRetryComing = false
    void ask()
  }
  return ask
}
