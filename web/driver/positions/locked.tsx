import { Check, Copy, ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSay } from '../../words/driver.ts'
import { useDay } from '../looks/day.ts'
import { Bar, Card, plainButton, Screen } from '../looks/parts.tsx'
import { screens } from '../looks/screen.ts'
import { SyncStatus } from '../looks/sync-status.tsx'

/** How to report with a locked screen: Traccar Client, with the address of this phone. */
export function LockedScreen() {
  const say = useSay()
  const { session, day } = useDay()
  const { locationTrackingDistance1: metres, locationTrackingTime: seconds } = day.settings
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(session.osmandUrl)
    setCopied(true)
  }
  // Named as in that app, which is not ours to translate.
  const fields = [
    ['Server URL', say('traccarServerUrl')],
    ['Device identifier', say('traccarDevice')],
    ['Location accuracy', 'High'],
    ['Distance', String(metres)],
    ['Interval', say('traccarInterval', { seconds: String(seconds) })],
    ['Offline buffering', say('traccarOn')],
  ] as const
  return (
    <Screen head={<Bar title={say('lockedTitle')} back={screens.me} line={<SyncStatus inBar />} />}>
      <div className="flex flex-col gap-3 p-3">
        <p className="px-1 text-large">{say('lockedLead')}</p>
        <ol className="flex flex-col gap-3">
          <Step number={1} text={say('traccarInstall')}>
            <a className={plainButton} href="https://www.traccar.org/client/" target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden className="size-5" />
              {say('traccarGet')}
            </a>
          </Step>
          <Step number={2} text={say('traccarAddress')}>
            <code className="block select-all break-all rounded-lg bg-sunken p-3 text-small">{session.osmandUrl}</code>
            <button type="button" className={plainButton} onClick={() => void copy()}>
              {copied ? <Check aria-hidden className="size-5" /> : <Copy aria-hidden className="size-5" />}
              {say('traccarCopy')}
            </button>
            <p role="status" className="font-semibold text-good empty:hidden">
              {copied && say('copied')}
            </p>
            <p className="text-ink-soft">{say('traccarSecret')}</p>
          </Step>
          <Step number={3} text={say('traccarFields')}>
            <dl className="flex flex-col">
              {fields.map(([name, value]) => (
                <div key={name} className="flex flex-wrap justify-between gap-x-3 border-line py-2 not-first:border-t">
                  <dt lang="en">{name}</dt>
                  <dd className="numbers text-right font-semibold">{value}</dd>
                </div>
              ))}
            </dl>
          </Step>
          <Step number={4} text={say('traccarStart')} />
        </ol>
        <p className="px-1 text-ink-soft">{say('traccarEnd')}</p>
      </div>
    </Screen>
  )
}

const Step = ({ number, text, children }: { number: number; text: string; children?: ReactNode }) => (
  <li>
    <Card className="flex flex-col gap-3 p-4">
      <p className="text-large">
        <strong className="numbers">{number}.</strong> {text}
      </p>
      {children}
    </Card>
  </li>
)
