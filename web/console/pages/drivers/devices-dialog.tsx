import { useQuery } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { type Driver, keysOf } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { useAge } from '../../../ui/age.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState, Loaded } from '../../../ui/state.tsx'
import { useSay } from '../record-words.ts'

type Device = Answer<'listDevices'>['devices'][number]

/** Signing in and out is announced; what a device reports about itself is not, because every sync changes it. */
const refreshMs = 5_000

/** The devices on which a driver is signed in, each with a way to sign it out. */
export function DevicesDialog({ driver, onClose }: { driver: Driver; onClose: () => void }) {
  const say = useSay()
  const [leaving, setLeaving] = useState<Device>()
  const devices = useQuery({
    queryKey: [...keysOf.drivers, driver.id, 'devices'],
    queryFn: async () => (await api.listDevices({ params: { driverId: driver.id } })).devices,
    refetchInterval: refreshMs,
  })
  const none = (
    <EmptyState picture={<Smartphone />} title={say('noDevices')}>
      {say('noDevicesLead', { name: driver.name })}
    </EmptyState>
  )
  return (
    <Dialog title={say('devices')} lead={say('devicesLead', { name: driver.name })} open onClose={onClose} side>
      <Loaded query={devices}>
        {(found) =>
          found.length === 0 ? (
            none
          ) : (
            <ul className="divide-y divide-line">
              {found.map((device) => (
                <DeviceItem key={device.id} device={device} onSignOut={() => setLeaving(device)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {leaving && <SignOut driver={driver} device={leaving} onClose={() => setLeaving(undefined)} />}
    </Dialog>
  )
}

function DeviceItem({ device, onSignOut }: { device: Device; onSignOut: () => void }) {
  const say = useSay()
  const may = useMay()
  const age = useAge()
  const { dateTime } = useFormats()
  const { name, version, battery, pending, lastSeenAt, signedInAt } = device
  const title = name ?? say('deviceUnnamed')
  const facts = [
    battery !== null && say('deviceBattery', { percent: battery }),
    version !== null && say('deviceVersion', { version }),
    say('deviceSignedIn', { time: dateTime(signedInAt) }),
  ]
  return (
    <li className="flex items-start gap-3 py-3">
      <Smartphone aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 grow">
        <h3 className="break-words font-medium">{title}</h3>
        <p className="text-ink-soft" title={lastSeenAt ? dateTime(lastSeenAt) : undefined}>
          {lastSeenAt ? say('deviceSeen', { when: age(Date.parse(lastSeenAt), Date.now()) }) : say('deviceNeverSeen')}
        </p>
        {pending !== null && (
          <p className={pending > 0 ? 'text-waiting' : 'text-ink-soft'}>
            {pending > 0 ? say('deviceUnsent', { n: pending }) : say('deviceSent')}
          </p>
        )}
        <p className="numbers text-ink-faint text-xs">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {may('drivers:write') && (
        <Button look="danger" aria-label={`${say('signOut')}: ${title}`} onClick={onSignOut}>
          {say('signOut')}
        </Button>
      )}
    </li>
  )
}

function SignOut({ driver, device, onClose }: { driver: Driver; device: Device; onClose: () => void }) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={say('signOutDevice', { device: device.name ?? say('deviceUnnamed') })}
      action={say('signOut')}
      write={() => api.revokeDevice({ params: { driverId: driver.id, deviceId: device.id } })}
      changes={['drivers']}
      told={say('deviceSignedOut')}
      onClose={onClose}
    >
      {say('signOutDeviceLead', { name: driver.name })}
    </ConfirmWrite>
  )
}
