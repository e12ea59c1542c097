import { RefreshCw } from 'lucide-react'
import { taskOf } from '../../../phone/op.ts'
import { useSay } from '../../words/driver.ts'
import { useActionText } from '../looks/actions.ts'
import { useCorrected, useDay, useDriverFormats } from '../looks/day.ts'
import { Bar, BigButton, Card, Foot, Screen } from '../looks/parts.tsx'
import { screens } from '../looks/screen.ts'
import { SyncStatus } from '../looks/sync-status.tsx'
import { waitingIn } from '../looks/truth.ts'
import { isOnMobileData } from '../outbox/device.ts'
import { phone } from '../outbox/phone.ts'
import { RefusedList } from './refused-list.tsx'

/** What has not been sent, and what the server did not accept. */
export function WaitingScreen() {
  const say = useSay()
  const state = useDay()
  const { ops, unsentFiles, tasks, day, isReachable, othersWait } = state
  const formats = useDriverFormats()
  const corrected = useCorrected()
  const actionText = useActionText()
  const { count } = waitingIn(state)
  const awbOf = (taskId: number | undefined) => tasks.find(({ id }) => id === taskId)?.awb ?? ''
  const waiting = [
    ...ops
      .filter(({ op }) => op.type !== 'seen')
      .map(({ op }) => ({ key: op.opId, text: actionText(op), awb: awbOf(taskOf(op)), at: op.occurredAt })),
    ...unsentFiles.map(({ fileId, taskId, takenAt }) => ({
      key: fileId,
      text: actionText(undefined),
      awb: awbOf(taskId),
      at: takenAt,
    })),
  ]
  const waitsForWifi = day.settings.uploadPhotosOnWifi && unsentFiles.length > 0 && isOnMobileData()
  return (
    <Screen
      head={<Bar title={say('whatWaits')} back={screens.route} line={<SyncStatus inBar />} />}
      foot={
        count > 0 && (
          <Foot>
            <BigButton Icon={RefreshCw} onClick={() => void phone.wake()}>
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
              {waiting.map(({ key, text, awb, at }) => (
                <li key={key} className="flex min-h-13 items-center gap-3 border-line px-4 py-2 not-first:border-t">
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold text-large">{text}</span>
                    {awb && <span className="block text-ink-soft">{awb}</span>}
                  </span>
                  <span className="numbers">{formats.time(corrected(at))}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <RefusedList />
        {othersWait > 0 && <p className="px-1 text-ink-soft">{say('othersWait', { n: othersWait })}</p>}
      </div>
    </Screen>
  )
}
