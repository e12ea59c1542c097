import { LogOut, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { type Language, languages } from '../../../core/words/languages.ts'
import { useSay, useSpeech } from '../../words/driver.ts'
import { CallOffice } from '../looks/call-office.tsx'
import { useDay, useDriverFormats } from '../looks/day.ts'
import { useNavigationApp } from '../looks/navigation.ts'
import { BigButton, Card, plainButton, Screen } from '../looks/parts.tsx'
import { Sheet } from '../looks/sheet.tsx'
import { SyncStatus } from '../looks/sync-status.tsx'
import { Tabs } from '../looks/tabs.tsx'
import { waitingIn } from '../looks/truth.ts'
import { useUpdate } from '../looks/update.ts'
import { phone } from '../outbox/phone.ts'
import { PositionSettings } from '../positions/cards.tsx'
import { PushSettings } from '../push/push.tsx'
import { DaySummary } from './day-summary.tsx'
import { MyPicture } from './my-picture.tsx'

export function MeScreen() {
  const say = useSay()
  const { language, speak } = useSpeech()
  const [isMissing, setMissing] = useState(false)
  const change = (next: Language) =>
    speak(next).then(
      () => setMissing(false),
      () => setMissing(true),
    )
  const state = useDay()
  const { day } = state
  const formats = useDriverFormats()
  const [asks, setAsks] = useState(false)
  const update = useUpdate()
  return (
    <Screen
      head={
        <header className="border-line border-b bg-surface pt-[env(safe-area-inset-top)]">
          <div className="border-line border-b">
            <MyPicture />
          </div>
          <SyncStatus />
        </header>
      }
      foot={<Tabs chosen="me" />}
    >
      <div className="flex flex-col gap-3 p-3">
        <DaySummary />
        <CallOffice />
        <PositionSettings />
        <PushSettings />
        <Card className="p-4">
          <label className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
            <span className="flex-1">{say('language')}</span>
            <select
              className="min-h-12 rounded-xl border border-line-strong bg-surface px-3"
              value={language}
              onChange={({ target }) => change(target.value as Language)}
            >
              {Object.entries(languages).map(([code, { name }]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {isMissing && <p role="alert">{say('networkDown')}</p>}
        </Card>
        <NavigationSettings />
        <Card className="p-4 text-ink-soft">
          <p className="numbers">{say('lastSync', { time: formats.dateTime(day.syncedAt) })}</p>
          <p>{say('appVersion', { version: __WAYBILL_VERSION__ })}</p>
        </Card>
        {update && (
          <Card look="given" className="flex flex-col gap-3 p-4">
            <p className="font-semibold text-large">{say('updateReady')}</p>
            <BigButton Icon={RefreshCw} onClick={update}>
              {say('updateNow')}
            </BigButton>
          </Card>
        )}
        <button type="button" className={`${plainButton} min-h-14`} onClick={() => setAsks(true)}>
          <LogOut aria-hidden className="size-5" />
          {say('signOut')}
        </button>
      </div>
      {asks && (
        <SignOut
          count={waitingIn(state).count}
          unread={state.refused.filter(({ isRead }) => !isRead).length}
          onStay={() => setAsks(false)}
        />
      )}
    </Screen>
  )
}

/** The app that opens the way to a stop. */
function NavigationSettings() {
  const say = useSay()
  const { offered, chosen, choose } = useNavigationApp()
  return (
    <Card className="p-4">
      <label className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
        <span className="flex-1">{say('navigationApp')}</span>
        <select
          className="min-h-12 max-w-full rounded-xl border border-line-strong bg-surface px-3"
          value={chosen ?? ''}
          onChange={({ target }) => choose(offered.find((app) => app === target.value))}
        >
          <option value="">{say('askEachTime')}</option>
          {offered.map((app) => (
            <option key={app} value={app}>
              {app === 'geo:' ? say('otherMaps') : app}
            </option>
          ))}
        </select>
      </label>
    </Card>
  )
}

/** Says what would be lost before anything is. */
function SignOut({ count, unread, onStay }: { count: number; unread: number; onStay: () => void }) {
  const say = useSay()
  return (
    <Sheet title={say(count > 0 ? 'signOutAsk' : 'signOutPlainAsk')} onClose={onStay}>
      <p className="text-large">{count > 0 ? say('signOutLoses', { n: count }) : say('signOutPlain')}</p>
      {unread > 0 && <p className="font-semibold text-bad text-large">{say('signOutUnread', { n: unread })}</p>}
      <BigButton look="danger" Icon={LogOut} onClick={() => void phone.signOut()}>
        {say(count > 0 ? 'signOutAndDelete' : 'signOut')}
      </BigButton>
      <BigButton look="plain" onClick={onStay}>
        {say('staySignedIn')}
      </BigButton>
    </Sheet>
  )
}
