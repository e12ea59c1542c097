import { Lock, Share, SquarePlus } from 'lucide-react'
import { BrandMark } from '../../ui/brand.tsx'
import { useSay } from '../../words/driver.ts'
import { Card, Screen } from '../looks/parts.tsx'

interface ApplePhone {
  standalone?: boolean
}

/** Safari gives an app on the home screen a storage of its own, so signing in before that would be in vain. */
export const isIPhoneBrowser = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) &&
  !(navigator as ApplePhone).standalone &&
  !window.matchMedia('(display-mode: standalone)').matches

/** Shows how to install the app. The link and the code stay unused. */
export function InstallFirst() {
  const say = useSay()
  const steps = [
    [Share, say('installStep1')],
    [SquarePlus, say('installStep2')],
    [null, say('installStep3')],
  ] as const
  return (
    <Screen>
      <div className="flex flex-col gap-4 p-4">
        <h1 className="mt-6 font-bold text-head">{say('installFirst')}</h1>
        <p className="text-large">{say('installWhy')}</p>
        <Card>
          <ol>
            {steps.map(([Icon, text], at) => (
              <li key={text} className="flex min-h-15 items-center gap-3 border-line px-4 py-3 not-first:border-t">
                <span className="w-5 shrink-0 font-bold">{at + 1}.</span>
                {Icon ? <Icon aria-hidden className="size-6 shrink-0" /> : <BrandMark className="size-6 shrink-0" />}
                <span className="text-large">{text}</span>
              </li>
            ))}
          </ol>
        </Card>
      </div>
    </Screen>
  )
}

/** Without https browsers keep nothing for an app and let it use neither camera nor position. */
export function NeedsHttps() {
  const say = useSay()
  return (
    <Screen>
      <div className="flex flex-col gap-4 p-4">
        <Lock aria-hidden className="mt-6 size-10" />
        <h1 className="font-bold text-head">{say('needsHttps')}</h1>
        <p className="text-large">{say('needsHttpsLead')}</p>
        <p className="text-ink-soft">{say('needsHttpsOffice')}</p>
      </div>
    </Screen>
  )
}
