import type { DeviceReport } from '../contract/device.ts'
import type { Client } from '../sdk/calls.ts'
import type { Store } from './store.ts'

/* Everything a phone needs from where it runs. */

export type Server = Pick<
  Client,
  'loginDriver' | 'signOutDevice' | 'syncDriver' | 'uploadFile' | 'reportDriverLocations' | 'getOwnRoute'
>

export interface Clock {
  nowMs(): number
  /** Answers how to call it off. */
  later(run: () => void, ms: number): () => void
}

/** Says that what is stored has changed, to all who use the same store. */
export interface News {
  tell(): void
  on(listener: () => void): () => void
}

export interface Ports {
  store: Store
  /** The server, as the device with this token calls it. What does not get through is a WaybillError of status 0. */
  connect(token: string | null): Server
  clock: Clock
  /** One at a time of all that use the same store: a driver may have the app open twice. */
  alone<Result>(run: () => Promise<Result>): Promise<Result>
  news: News
  /** What the office sees of this phone. */
  describe(): Omit<DeviceReport, 'pending'>
  isOnMobileData(): boolean
  /** How many ops go in one request; few enough to arrive over a bad connection. The server takes 500. */
  mostAtOnce?: number
  newId(): string
  /** The maps that were seen: they take room, and show where somebody was. */
  forgetMap(): Promise<void>
  /** A round of sending failed, and not because of the network. */
  onBroken(error: unknown): void
}

/** The time as it is kept and sent. */
export const timeOf = (clock: Clock) => new Date(clock.nowMs()).toISOString()
