import { RefreshCw } from 'lucide-react'
import { itemProblem } from '../../api/problem.ts'
import { useSay, type Word } from '../../words/words.ts'
import { useCorrected, useDay, useDriverFormats } from '../looks/day.ts'
import { HonestLine } from '../looks/honest-line.tsx'
import { Bar, BigButton, Card, Foot, plainButton, Screen } from '../looks/parts.tsx'
import { screens } from '../looks/screen.ts'
import { waitingIn } from '../looks/truth.ts'
import { isOnMobileData } from '../outbox/device.ts'
import { dismissRefused } from '../outbox/keep.ts'
import { wake } from '../outbox/send.ts'

const deedWords = {
  accept: 'didAccept',
  start: 'didStart',
  arrive: 'didArrive',
  complete: 'didComplete',
  fail: 'didFail',
  note: 'didNote',
  photo: 'didPhoto',
  signature: 'didSignature',
  scan: 'didScan',
  payment: 'didPayment',
  form: 'didForm',
  duty: 'didDuty',
  seen: 'didSeen',
  takeBack: 'didTakeBack',
} as const satisfies Record<string, Word>

/** What has not been sent, and what the server did not accept. */
export function WaitingScreen() {
  const say = useSay()
  const state = useDay()
  const { ops, unsentFiles, refused, tasks, day, isReachable, othersWait } = state
  const formats = useDriverFormats()
  const corrected = useCorrected()
  const { count } = waitingIn(state)
  const awbOf = (taskId: number | undefined) => tasks.find(({ id }) => id === taskId)?.awb ?? ''
  const waiting = [
    ...ops
      .filter(({ op }) => op.type !== 'seen')
      .map(({ op }) => ({ key: op.opId, word: deedWords[op.type] as Word, awb: awbOf(op.taskId), at: op.occurredAt })),
    ...unsentFiles.map(({ fileId, taskId, takenAt }) => ({
      ...{ key: fileId, word: 'didUpload' as Word, awb: awbOf(taskId), at: takenAt },
    })),
  ]
  const waitsForWifi = day.settings.uploadPhotosOnWifi && unsentFiles.length > 0 && isOnMobileData()
  return (
    <Screen
      head={<Bar title={say('whatWaits')} back={screens.route} line={<HonestLine inBar />} />}
      foot={
        count > 0 && (
          <Foot>
            <BigButton Icon={RefreshCw} onClick={() => void wake()}>
              {say('sendNow')}
            </BigButton>
          </Foot>
        )
      }
    >
      <div className="flex flex-col gap-3 p-3">
        <p className="px-1 text-large">
          {say(count === 0 ? 'nothingWaits' : isReachable === false ? 'waitsOffline' : 'waitsOnline')}
        </p>
        {waitsForWifi && <p className="px-1 text-large">{say('waitsForWifi')}</p>}
        {waiting.length > 0 && (
          <Card>
            <ul>
              {waiting.map(({ key, word, awb, at }) => (
                <li key={key} className="flex min-h-13 items-center gap-3 border-line px-4 py-2 not-first:border-t">
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold text-large">{say(word)}</span>
                    {awb && <span className="block text-ink-soft">{awb}</span>}
                  </span>
                  <span className="numbers">{formats.time(corrected(at))}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {refused.length > 0 && (
          <section aria-labelledby="refused" className="flex flex-col gap-1.5">
            <h2 id="refused" className="px-1 font-semibold">
              {say('notAccepted')}
            </h2>
            <ul className="overflow-hidden rounded-2xl border border-line bg-surface">
              {refused.map(({ id, op, awb, error, isConflict }) => (
                <li key={id} className="flex items-center gap-3 border-line p-3 not-first:border-t">
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold text-large">
                      {[say(op ? deedWords[op.type] : 'didUpload'), awb].filter(Boolean).join(' · ')}
                    </span>
                    <span className="block text-bad">{itemProblem(error, say)}</span>
                    {isConflict && <span className="block">{say('keptForOffice')}</span>}
                  </span>
                  <button type="button" className={plainButton} onClick={() => void dismissRefused(id)}>
                    {say('gotIt')}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {othersWait > 0 && <p className="px-1 text-ink-soft">{say('othersWait', { n: othersWait })}</p>}
      </div>
    </Screen>
  )
}
