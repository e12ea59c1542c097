import { ScanBarcode } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { compareScan } from '../../../core/scan.ts'
import { useSay } from '../../words/words.ts'
import { BigButton } from '../looks/parts.tsx'
import { Sheet } from '../looks/sheet.tsx'
import { keepDone } from '../outbox/keep.ts'
import type { ShownTask } from '../outbox/state.ts'

/** Only drivers who scan load it. */
const Scanner = lazy(() => import('../scan/scanner.tsx'))

/**
 * The code of the parcel, read by the camera, typed, or read by a scanner that types. A code of another parcel is kept too,
 * and said at once.
 */
export function ScanSheet({ task, onClose }: { task: ShownTask; onClose: () => void }) {
  const say = useSay()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState('')
  const save = async (given: string) => {
    const read = given.trim()
    if (read === '') return
    await keepDone([{ type: 'scan', taskId: task.id, code: read }])
    if (compareScan(task, read).matches) return onClose()
    setWrong(read)
    setCode('')
  }
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
            maxLength={500}
            className="mt-1.5 block min-h-14 w-full rounded-xl border border-line-strong bg-surface px-4 text-large"
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </label>
        <p role="alert" className="font-semibold text-bad empty:hidden">
          {wrong && say('wrongParcel', { code: wrong, awb: task.awb })}
        </p>
        <BigButton type="submit" Icon={ScanBarcode}>
          {say('saveScan')}
        </BigButton>
      </form>
    </Sheet>
  )
}
