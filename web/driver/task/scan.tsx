import { ScanBarcode } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { compareScan } from '../../../core/scan.ts'
import { useSay } from '../../words/words.ts'
import { BigButton } from '../looks/parts.tsx'
import { keepDone } from '../outbox/keep.ts'
import type { ShownTask } from '../outbox/state.ts'
import { Sheet } from './dialog.tsx'

/**
 * The code of the parcel, typed or read by a scanner that types. A code of another parcel is kept too, and said at once.
 */
export function ScanSheet({ task, onClose }: { task: ShownTask; onClose: () => void }) {
  const say = useSay()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState('')
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const read = code.trim()
    if (read === '') return
    await keepDone([{ type: 'scan', taskId: task.id, code: read }])
    if (compareScan(task, read).matches) return onClose()
    setWrong(read)
    setCode('')
  }
  return (
    <Sheet title={say('scanParcel')} onClose={onClose}>
      <form onSubmit={(event) => void save(event)} className="flex flex-col gap-3">
        <label className="font-semibold">
          {say('parcelCode')}
          <input
            // biome-ignore lint/a11y/noAutofocus: the sheet was opened to type
            autoFocus
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={500}
            className="mt-1.5 block h-14 w-full rounded-xl border border-line-strong bg-surface px-4 text-[18px]"
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
