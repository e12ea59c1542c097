import { ChevronRight, ScanBarcode } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import { compareScan, findByCode, isSameCode } from '../../../core/scan.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { shortAddress } from '../../tasks/address.ts'
import { useSay } from '../../words/driver.ts'
import { useDay } from '../looks/day.ts'
import { BigButton } from '../looks/parts.tsx'
import { screens } from '../looks/screen.ts'
import { Sheet } from '../looks/sheet.tsx'
import { phone } from '../outbox/phone.ts'
import { notesOf } from './steps.ts'

/** Only drivers who scan load it. */
const Scanner = lazy(() => import('../scan/scanner.tsx'))

/**
 * The code of the parcel, read by the camera, typed, or read by a scanner that types. A code of another parcel is kept too,
 * once, however long it is held before the camera; which stop it belongs to is said at once.
 */
export function ScanSheet({ task, onClose }: { task: ShownTask; onClose: () => void }) {
  const say = useSay()
  const { tasks, session } = useDay()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState('')
  /** What is on its way to the notes of the task. */
  const kept = useRef<string[]>([])
  const isKept = (read: string) =>
    kept.current.some((one) => isSameCode(one, read)) ||
    notesOf(task, 'scan').some(
      ({ note, userId }) => userId === session.driverId && note !== null && isSameCode(note, read),
    )
  const save = async (given: string) => {
    const read = given.trim()
    if (read === '') return
    if (!isKept(read)) {
      kept.current.push(read)
      try {
        await phone.keepDone([{ type: 'scan', taskId: task.id, code: read }])
      } catch (error) {
        kept.current = kept.current.filter((one) => one !== read)
        throw error
      }
    }
    if (compareScan(task, read).matches) return onClose()
    setWrong(read)
    setCode('')
  }
  const owner = wrong === '' ? undefined : findByCode(tasks, wrong)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(code)
  }
  return (
    <Sheet title={say('scanParcel')} onClose={onClose}>
      <Suspense fallback={<div className="aspect-[4/3] max-h-[45vh] rounded-xl bg-black" />}>
        <Scanner onCode={(read) => void save(read)} />
      </Suspense>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <label className="font-semibold">
          {say('parcelCode')}
          <input
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={longest.code}
            className="mt-1.5 block min-h-14 w-full rounded-xl border border-line-strong bg-surface px-4 text-large"
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </label>
        <div role="alert" className="font-semibold text-bad empty:hidden">
          {wrong && say('wrongParcel', { code: wrong, awb: task.awb })}
          {owner && ` ${say('parcelBelongsTo')}`}
        </div>
        {owner && (
          <a
            href={screens.task(owner.id)}
            className="flex min-h-14 items-center gap-3 rounded-xl border border-line-strong px-4 py-2"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-semibold text-large">{shortAddress(owner)}</span>
              <span className="block text-ink-soft">
                {[owner.awb, owner.customer?.name].filter(Boolean).join(' · ')}
              </span>
            </span>
            <ChevronRight aria-hidden className="size-5 shrink-0" />
          </a>
        )}
        <BigButton type="submit" Icon={ScanBarcode}>
          {say('saveScan')}
        </BigButton>
      </form>
    </Sheet>
  )
}
