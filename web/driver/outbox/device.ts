import type { DeviceReport } from '../../../contract/device.ts'

interface Hints {
  userAgentData?: { getHighEntropyValues: (names: string[]) => Promise<{ model?: string }> }
  getBattery?: () => Promise<{ level: number }>
  connection?: { type?: string }
}
const hints = navigator as Hints

const modelOf = async () =>
  (await hints.userAgentData?.getHighEntropyValues(['model']).catch(() => undefined))?.model ||
  /iPhone|iPad|Android/.exec(navigator.userAgent)?.[0] ||
  'Browser'

let model: Promise<string> | undefined

/** What the office sees of this phone. */
export async function describeDevice(pending: number): Promise<DeviceReport> {
  model ??= modelOf()
  const battery = await hints.getBattery?.().catch(() => undefined)
  return {
    name: await model,
    version: __WAYBILL_VERSION__,
    pending,
    ...(battery && { battery: Math.round(battery.level * 100) }),
  }
}

/** Only where the browser says so: a phone that cannot tell sends its photos. */
export const isOnMobileData = () => hints.connection?.type === 'cellular'
