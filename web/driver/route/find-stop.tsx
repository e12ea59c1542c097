import { ChevronRight, ScanBarcode, Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import { findByCode } from '../../../core/scan.ts'
import { shortAddress } from '../../tasks/address.ts'
import { StatusBadge } from '../../tasks/status.tsx'
import { useSay } from '../../words/driver.ts'
import { useDay } from '../looks/day.ts'
import { plainButton } from '../looks/parts.tsx'
import { go, screens } from '../looks/screen.ts'
import { Sheet } from '../looks/sheet.tsx'
import { findStops } from './find.ts'

const Scanner = lazy(() => import('../scan/scanner.tsx'))
/** More than fit on a phone say: type more. */
const mostShown = 20

/** A parcel in the hand, or a customer on the phone: which stop is it? */
export function FindStop() {
  const say = useSay()
  const { tasks } = useDay()
  const [asks, setAsks] = useState(false)
  if (tasks.length < 2) return null
  return (
    <>
      <button type="button" className={plainButton} onClick={() => setAsks(true)}>
        <Search aria-hidden className="size-5" />
        {say('findStop')}
      </button>
      {asks && <FindSheet onClose={() => setAsks(false)} />}
    </>
  )
}

function FindSheet({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const { tasks } = useDay()
  const [text, setText] = useState('')
  const [scans, setScans] = useState(false)
  const found = findStops(tasks, text).slice(0, mostShown)
  const read = (code: string) => {
    const task = findByCode(tasks, code)
    if (task) return go(screens.task(task.id))
    setScans(false)
    setText(code)
  }
  return (
    <Sheet title={say('findStop')} onClose={onClose}>
      {scans ? (
        <Suspense fallback={<div className="aspect-[4/3] max-h-[45vh] rounded-xl bg-black" />}>
          <Scanner onCode={read} />
        </Suspense>
      ) : (
        <button type="button" className={plainButton} onClick={() => setScans(true)}>
          <ScanBarcode aria-hidden className="size-5" />
          {say('findByScan')}
        </button>
      )}
      <label className="font-semibold">
        {say('findLead')}
        <input
          type="search"
          autoComplete="off"
          maxLength={longest.search}
          className="mt-1.5 block min-h-14 w-full rounded-xl border border-line-strong bg-surface px-4 text-large"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <p role="status" className="text-large empty:hidden">
        {text.trim() !== '' && found.length === 0 && say('foundNone', { text: text.trim() })}
      </p>
      {found.length > 0 && (
        <ul className="max-h-[40vh] overflow-y-auto rounded-xl border border-line">
          {found.map((task) => (
            <li key={task.id} className="border-line not-first:border-t">
              <a
                href={screens.task(task.id)}
                className="flex min-h-14 flex-wrap items-center justify-end gap-x-3 px-3 py-2"
              >
                <span className="min-w-0 flex-1 basis-[9rem]">
                  <span className="block break-words font-semibold text-large">{shortAddress(task)}</span>
                  <span className="block break-words text-ink-soft">
                    {[task.awb, task.customer?.name].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <StatusBadge statusId={task.statusId} />
                <ChevronRight aria-hidden className="size-5 shrink-0" />
              </a>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}
