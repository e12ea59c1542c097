import { useSyncExternalStore } from 'react'
import { openPhone } from '../../../phone/phone.ts'
import { forgetMap } from '../store/caches.ts'
import { store } from '../store/database.ts'
import { describeDevice, isOnMobileData } from './device.ts'
import { news } from './notify.ts'
import { serverFor } from './server.ts'

/** The phone of this tab, as a browser gives it what it needs. */
export const phone = openPhone({
  store,
  connect: serverFor,
  clock: {
    nowMs: Date.now,
    later(run, ms) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  },
  alone: (run) => navigator.locks.request('waybill-driver', run),
  news,
  describe: describeDevice,
  isOnMobileData,
  newId: () => crypto.randomUUID(),
  forgetMap,
  // What the phone cannot read or write is said by the screens.
  onBroken: (error) => error instanceof DOMException || reportError(error),
})

/** Everything the screens show. */
export const useOutbox = () => useSyncExternalStore(phone.screen.look, phone.screen.stored)

/** What could not be kept. */
export const useTrouble = () => useSyncExternalStore(phone.trouble.subscribe, phone.trouble.current)

export const useOwnPlace = () => useSyncExternalStore(phone.place.subscribe, phone.place.current)
