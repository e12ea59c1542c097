import { useQuery } from '@tanstack/react-query'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { useAge } from '../../../ui/age.ts'
import { useSay } from '../record-words.ts'

type Device = Answer<'listAllDevices'>['devices'][number]

/** Signing in and out is announced; what a device reports about itself is not, because every sync changes it. */
const refreshMs = 15_000

export const useAllDevices = () =>
  useQuery({
    queryKey: [...keysOf.drivers, 'devices'],
    queryFn: async () => (await api.listAllDevices()).devices,
    refetchInterval: refreshMs,
  }).data

/** What each phone of a driver last told about itself, and when that was. The dialog of the devices has the rest. */
export function DriverApp({ devices = [] }: { devices?: Device[] | undefined }) {
  const heard = devices.filter(({ lastSeenAt }) => lastSeenAt !== null)
  if (heard.length === 0) return null
  return (
    <ul className="grid gap-1 whitespace-nowrap text-xs">
      {heard.map((device) => (
        <Phone key={device.id} device={device} />
      ))}
    </ul>
  )
}

function Phone({ device: { battery, pending, version, lastSeenAt, name } }: { device: Device }) {
  const say = useSay()
  const age = useAge()
  const { dateTime } = useFormats()
  const facts = [battery !== null && say('deviceBattery', { percent: battery }), version]
  return (
    <li title={name ?? undefined}>
      {pending !== null && (
        <span className={pending > 0 ? 'font-medium text-waiting' : 'text-ink-soft'}>
          {pending > 0 ? say('deviceUnsent', { n: pending }) : say('deviceSent')}
        </span>
      )}
      <span className="block text-ink-soft">{facts.filter(Boolean).join(' · ')}</span>
      <time dateTime={lastSeenAt as string} title={dateTime(lastSeenAt as string)} className="block text-ink-faint">
        {say('deviceAsOf', { when: age(Date.parse(lastSeenAt as string), Date.now()) })}
      </time>
    </li>
  )
}
