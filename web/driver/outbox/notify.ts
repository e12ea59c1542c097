/** Tells the parts of the app, in this tab and others, that what is stored has changed. */
const listeners = new Set<() => void>()
const others = 'BroadcastChannel' in window ? new BroadcastChannel('waybill-driver') : undefined
if (others) others.onmessage = () => tellHere()

const tellHere = () => {
  for (const listener of listeners) listener()
}

export function tellChanged() {
  tellHere()
  others?.postMessage('changed')
}

export function onChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
