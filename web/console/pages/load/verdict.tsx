import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useFormats } from '../../../api/time.ts'
import { join } from '../../../ui/class-names.ts'
import { useLaterSay } from '../../../words/later.ts'
import type { Scanned } from './queue.ts'

/** What the last scan came to, to be read from two metres away. */
export function Verdict({ scanned }: { scanned: Scanned | undefined }) {
  const say = useLaterSay('loading')
  const { dateTime } = useFormats()
  const look = 'grid min-h-44 content-center gap-1 rounded-xl border p-5 text-center'
  if (!scanned)
    return (
      <div role="status" className={join(look, 'border-line text-ink-faint text-2xl')}>
        {say('nothingScanned')}
      </div>
    )
  const { scan, driver, position, scannedBefore } = scanned
  const isRight = scan.result === 'expected'
  const Icon = isRight ? CircleCheck : TriangleAlert
  const verdict = say(`loaded_${scan.result}`, { driver: driver?.name ?? '' })
  return (
    <div
      role="status"
      className={join(look, isRight ? 'border-good bg-good-soft text-good' : 'border-bad bg-bad-soft text-bad')}
    >
      <p className="break-all text-lg">{scan.awb ?? scan.code}</p>
      <p className="flex flex-wrap items-center justify-center gap-3 font-bold text-4xl sm:text-5xl">
        <Icon aria-hidden className="size-10 shrink-0" />
        <span className="min-w-0 break-words">{isRight && driver ? driver.name : verdict}</span>
      </p>
      {position && (
        <p className="font-semibold text-2xl sm:text-3xl">
          {say('loadStop', { stop: position.stop })}, {say('loadNth', { load: position.load, of: position.of })}
        </p>
      )}
      {scannedBefore && <p className="text-xl">{say('scannedBefore', { time: dateTime(scannedBefore) })}</p>}
    </div>
  )
}
