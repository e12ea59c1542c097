import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Driver, keysOf } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { join } from '../../../ui/class-names.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'

const write = ({ id, active }: Pick<Driver, 'id' | 'active'>) =>
  api.updateDriver({ params: { driverId: id }, body: { active } })

/** Whether a driver may sign in and get tasks, and the switch to change it. Switching off is asked about: it signs them out. */
export function ActiveSwitch({ driver: { id, name, active } }: { driver: Driver }) {
  const say = useSay()
  const may = useMay()('drivers:write')
  const [isAsked, setAsked] = useState(false)
  const changes = [...keysOf.drivers]
  const save = useSave(write, { changes, told: say('driverActivated', { name }) })
  if (!may) return null
  return (
    <>
      <button
        type="button"
        role="switch"
        aria-checked={active}
        aria-label={say('activeOf', { name })}
        title={say(active ? 'deactivate' : 'activate')}
        aria-busy={save.isPending || undefined}
        disabled={save.isPending}
        onClick={() => (active ? setAsked(true) : save.mutate({ id, active: true }))}
        className="inline-flex h-8 items-center rounded-md px-1 hover:bg-hover disabled:opacity-55"
      >
        <span
          aria-hidden
          className={join(
            'flex h-4.5 w-8 items-center rounded-full p-0.5',
            active ? 'justify-end bg-good' : 'bg-line-strong',
          )}
        >
          <span className="size-3.5 rounded-full bg-surface" />
        </span>
      </button>
      {isAsked && (
        <ConfirmWrite
          title={say('deactivateTitle', { name })}
          action={say('deactivate')}
          write={() => write({ id, active: false })}
          changes={changes}
          told={say('driverDeactivated', { name })}
          inForm
          onClose={() => setAsked(false)}
        >
          {say('deactivateLead', { name })}
        </ConfirmWrite>
      )}
    </>
  )
}
