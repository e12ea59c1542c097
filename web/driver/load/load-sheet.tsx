import { CircleCheck, CloudUpload, PackageX, ScanBarcode } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import { type Told, tellAgain, tellCode } from '../../../phone/load.ts'
import { createTurns } from '../../../phone/turns.ts'
import { shortAddress } from '../../tasks/address.ts'
import { useSay } from '../../words/driver.ts'
import { useDay, useDriverFormats, useNow } from '../looks/day.ts'
import { BigButton } from '../looks/parts.tsx'
import { Sheet } from '../looks/sheet.tsx'
import { useLoad } from '../looks/use-load.ts'
import { phone } from '../outbox/phone.ts'
import { useForeignText } from './texts.ts'

/** Only drivers who scan load it. */
const Scanner = lazy(() => import('../scan/scanner.tsx'))

/** What was scanned last. */
interface Last {
  code: string
  /** The parcel it was, of several with one code. */
  taskId: number | undefined
  /** It had been scanned before. */
  wasKnown: boolean
}

/**
 * One parcel after the other, by the camera, typed, or read by a scanner that types. What was scanned before is told and not
 * kept again, however long it is held before the camera.
 */
export function LoadSheet({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const { expected, inVehicle } = useLoad()
  const { aheadMs } = useDay().day
  const [typed, setTyped] = useState('')
  const [last, setLast] = useState<Last>()
  // Each is judged by what the ones before it left.
  const [inTurn] = useState(createTurns)
  const load = async (given: string) => {
    const code = given.trim()
    if (code === '') return
    const { day, ...state } = await phone.screen.read()
    if (!day) return
    const { task, result, isKnown } = tellCode({ ...state, day }, code, Date.now() - aheadMs)
    if (!isKnown) await phone.keepDone([{ type: 'load', code }])
    setLast({ code, taskId: result === 'expected' ? task?.id : undefined, wasKnown: isKnown })
    setTyped('')
    if (result !== 'expected') navigator.vibrate?.([120, 80, 120])
  }
  const read = (code: string) => void inTurn(() => load(code))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    read(typed)
  }
  return (
    <Sheet title={say('loadScan')} onClose={onClose}>
      <Suspense fallback={<div className="aspect-[4/3] max-h-[45vh] rounded-xl bg-black" />}>
        <Scanner onCode={read} />
      </Suspense>
      <Verdict last={last} />
      <form onSubmit={submit} className="flex flex-col gap-3">
        <label className="font-semibold">
          {say('parcelCode')}
          <input
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={longest.code}
            className="mt-1.5 block min-h-14 w-full rounded-xl border border-line-strong bg-surface px-4 text-large"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <BigButton type="submit" Icon={ScanBarcode}>
          {say('loadSave')}
        </BigButton>
      </form>
      <p className="numbers text-ink-soft">{say('loadedOf', { loaded: inVehicle, expected })}</p>
    </Sheet>
  )
}

/** What the last scan came to; the answer of the server takes the place of the question. */
function Verdict({ last }: { last: Last | undefined }) {
  const say = useSay()
  const state = useDay()
  const now = useNow()
  const told = last && tellAgain(state, last, now)
  const text = useVerdictText()
  const isForeign = told && told.result !== 'expected' && !isAsked(told)
  return (
    <>
      <div role="status" className="empty:hidden">
        {last && told && !isForeign && (
          <p className="flex items-start gap-2 rounded-xl bg-given-soft p-3 text-large">
            {isAsked(told) ? (
              <CloudUpload aria-hidden className="mt-0.5 size-6 shrink-0 text-waiting" />
            ) : (
              <CircleCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-given" />
            )}
            <span className="min-w-0 flex-1">
              <span className="block break-words font-bold">{told.task?.awb ?? last.code}</span>
              <span className="block">{text(told, last.wasKnown)}</span>
              {told.result === 'expected' && told.task && <span className="block">{shortAddress(told.task)}</span>}
            </span>
          </p>
        )}
      </div>
      <div role="alert" className="empty:hidden">
        {last && told && isForeign && (
          <p className="flex items-start gap-2 rounded-xl bg-bad-soft p-3 text-large">
            <PackageX aria-hidden className="mt-0.5 size-6 shrink-0 text-bad" />
            <span className="min-w-0 flex-1">
              <span className="block break-words font-bold">{last.code}</span>
              <span className="block font-semibold text-bad">{text(told, last.wasKnown)}</span>
              <span className="block">{say('loadLeave')}</span>
            </span>
          </p>
        )}
      </div>
    </>
  )
}

/** Nobody knows yet whose it is. */
const isAsked = ({ result, isAnswered }: Told) => result === 'unknown' && !isAnswered

function useVerdictText() {
  const say = useSay()
  const formats = useDriverFormats()
  const { stops } = useLoad()
  const foreignText = useForeignText()
  return (told: Told, wasKnown: boolean): string => {
    const { result, task } = told
    if (isAsked(told)) return say('loadAsking')
    if (result !== 'expected') return foreignText(told)
    if (wasKnown && task?.loadedAt) return say('loadBefore', { time: formats.time(task.loadedAt) })
    const position = stops.flat().find((one) => one.task.id === task?.id)?.position
    return position ? say('loadTake', { load: position.load, of: position.of }) : ''
  }
}
