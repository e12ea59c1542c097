import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import type { ScanPlace } from '../../../../core/loading.ts'
import { keysOf, useDrivers } from '../../../api/data.ts'
import { itemProblem, problemText } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Field, SelectField } from '../../../ui/field.tsx'
import { Page } from '../../../ui/page.tsx'
import { onlyWith } from '../../../ui/state.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { LoadsOfToday } from './loads.tsx'
import { playVerdict } from './sound.ts'
import { useScans } from './use-scans.ts'
import { Verdict } from './verdict.tsx'

export default onlyWith('tasks:write', LoadPage)

/** A scanner types a code and presses Enter, again and again: the field keeps the cursor, and nothing that is typed is lost. */
function LoadPage() {
  const say = useLaterSay('loading')
  const client = useQueryClient()
  const drivers = useDrivers()
  const [at, setAt] = useState<ScanPlace>('hub')
  const [userId, setUserId] = useState<number | null>(null)
  const [sounds, setSounds] = useState(true)
  const field = useRef<HTMLInputElement>(null)
  const { queue, error, send, read, sendAgain, forget } = useScans(({ scan }) => {
    if (sounds) playVerdict(scan.result === 'expected')
    void client.invalidateQueries({ queryKey: keysOf.scans })
  })
  useEffect(() => field.current?.focus(), [])
  // After a choice the next parcel is scanned.
  const choose = (make: () => void) => {
    make()
    field.current?.focus()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { current } = field
    if (!current) return
    read({ code: current.value, at, userId: at === 'vehicle' ? userId : null })
    current.value = ''
    current.focus()
  }
  return (
    <Page title={say('loadParcels')} lead={say('loadingLead')}>
      <div className="grid grid-cols-1 gap-4">
        <form onSubmit={submit} className="grid grid-cols-1 gap-3 sm:grid-cols-[10rem_14rem_1fr]">
          <SelectField
            label={say('scanAt')}
            value={at}
            onChange={({ target }) => choose(() => setAt(target.value as ScanPlace))}
          >
            <option value="hub">{say('scanAtHub')}</option>
            <option value="vehicle">{say('scanAtVehicle')}</option>
          </SelectField>
          <SelectField
            label={say('scanFor')}
            value={userId ?? ''}
            disabled={at === 'hub'}
            onChange={({ target }) => choose(() => setUserId(target.value === '' ? null : Number(target.value)))}
          >
            <option value="">{say('scanForAny')}</option>
            {drivers.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <Checkbox label={say('scanSound')} checked={sounds} onChange={({ target }) => setSounds(target.checked)} />
          <Field label={say('scanCode')} hint={say('scanCodeHint')} className="sm:col-span-3">
            {(control) => (
              <input
                {...control}
                ref={field}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                maxLength={longest.code}
                className="h-16 w-full rounded-xl border border-line-strong bg-surface px-4 font-semibold text-2xl text-ink"
              />
            )}
          </Field>
        </form>
        <Verdict scanned={queue.answered[0]?.scanned} />
        {queue.waiting.length > 0 && error !== undefined && (
          <div
            role="alert"
            className="flex flex-wrap items-center gap-2 rounded-lg bg-waiting-soft px-4 py-2 text-waiting"
          >
            <span className="min-w-0 grow">
              {say('scansWaiting', { n: queue.waiting.length })}. {problemText(error, say)}
            </span>
            <Button onClick={() => void send()}>{say('scanAgain')}</Button>
          </div>
        )}
        {queue.refused.length > 0 && (
          <ul role="alert" className="grid gap-1">
            {queue.refused.map(({ number, code, error }) => (
              <li key={number} className="flex flex-wrap items-center gap-2 rounded-lg bg-bad-soft px-4 py-2 text-bad">
                <span className="min-w-0 grow break-words">
                  {say('scanRefused', { code, reason: itemProblem(error, say) })}
                </span>
                <Button onClick={() => sendAgain(number)}>{say('scanAgain')}</Button>
                <Button onClick={() => forget(number)}>{say('scanForget')}</Button>
              </li>
            ))}
          </ul>
        )}
        <LoadsOfToday />
      </div>
    </Page>
  )
}
