import type { DeviceReport } from '../../../contract/device.ts'

interface Hints {
  userAgentData?: { getHighEntropyValues: (names: string[]) => Promise<{ model?: string }> }
  getBattery?: () => Promise<{ level: number }>
  connection?: { type?: string; saveData?: boolean }
}
const hints = navigator as Hints

// Asked once and never waited for: some browsers do not answer, and sending must not depend on it.
let model: string | undefined
let battery: { level: number } | undefined
void hints.userAgentData?.getHighEntropyValues(['model']).then(
  (values) => {
    model = values.model
  },
  () => {},
)
void hints.getBattery?.().then(
  (found) => {
    battery = found
  },
  () => {},
)

/** In percent; undefined where the browser does not say. */
export const batteryLeft = () => battery && Math.round(battery.level * 100)

/** What the office sees of this phone. */
export const describeDevice = (): Omit<DeviceReport, 'pending'> => ({
  name: model || /iPhone|iPad|Android/.exec(navigator.userAgent)?.[0] || 'Browser',
  version: __WAYBILL_VERSION__,
  ...(battery && { battery: batteryLeft() ?? null }),
})

/** Only where the browser says so: a phone that cannot tell sends its photos. */
export const isOnMobileData = () => hints.connection?.type === 'cellular'

/** What the driver has told the phone itself. */
export const savesData = () => hints.connection?.saveData === true
