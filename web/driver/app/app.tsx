import { useEffect } from 'react'
import type { State } from '../../../phone/state.ts'
import { useBrandColour } from '../../ui/brand-colour.ts'
import { ThemeProvider } from '../../ui/theme.tsx'
import { type Spoken, useChosenSpeech } from '../../words/chosen.ts'
import { loadWords, SpeechContext, useSay, type Word } from '../../words/driver.ts'
import { SpeechContext as SharedSpeech } from '../../words/shared.ts'
import { LoadScreen } from '../load/load.tsx'
import { DayContext } from '../looks/day.ts'
import { Screen } from '../looks/parts.tsx'
import { useScreen } from '../looks/screen.ts'
import { keepAppOnPhone } from '../looks/update.ts'
import { MapAhead, WayAhead } from '../map/ahead.ts'
import { MapScreen } from '../map/map.tsx'
import { MeScreen } from '../me/me.tsx'
import { WaitingScreen } from '../me/waiting.tsx'
import { useOutbox } from '../outbox/phone.ts'
import { keepInTouch } from '../outbox/stream.ts'
import { LockedScreen } from '../positions/locked.tsx'
import { Positions } from '../positions/positions.tsx'
import { keepNotice } from '../push/notice.ts'
import { Push } from '../push/push.tsx'
import { RouteScreen } from '../route/route.tsx'
import { InstallFirst, isIPhoneBrowser, NeedsHttps } from '../sign-in/before.tsx'
import { useLink } from '../sign-in/link.ts'
import { SignIn } from '../sign-in/sign-in.tsx'
import { WhoWorks } from '../sign-in/who-works.tsx'
import { ParcelScreens } from '../task/parcels.tsx'
import { TaskScreens } from '../task/task.tsx'
import { Boundary, Failed } from './boundary.tsx'

export function App({ spoken }: { spoken: Spoken<Word> }) {
  const speech = useChosenSpeech(spoken, loadWords)
  useEffect(() => void keepNotice(speech.language, speech.say), [speech])
  return (
    <SpeechContext value={speech}>
      <SharedSpeech value={speech}>
        <ThemeProvider>
          <Boundary>{window.isSecureContext ? <Phone /> : <NeedsHttps />}</Boundary>
        </ThemeProvider>
      </SharedSpeech>
    </SpeechContext>
  )
}

function Phone() {
  const { state, isUnreadable } = useOutbox()
  const link = useLink()
  useEffect(() => void keepAppOnPhone(), [])
  const token = state?.session?.token
  useEffect(() => (token ? keepInTouch(token) : undefined), [token])
  useBrandColour(state?.day?.settings.accentColor)
  // Read in some milliseconds; anything shown until then would only flicker.
  if (!state) return isUnreadable ? <Failed why="phoneUnreadable" /> : null
  if (!state.session?.token) return isIPhoneBrowser() ? <InstallFirst /> : <SignIn state={state} />
  const { session, day } = state
  if (link) return <WhoWorks state={state} session={session} secret={link} />
  return day ? (
    <DayContext value={{ ...state, session, day, isUnreadable }}>
      <Positions />
      <Push />
      <MapAhead />
      <WayAhead />
      <Screens />
    </DayContext>
  ) : (
    <FirstSync state={state} />
  )
}

function Screens() {
  const [first, id, step] = useScreen()
  if (first === 'map') return <MapScreen taskId={id === undefined ? undefined : Number(id)} />
  if (first === 'load') return <LoadScreen />
  if (first === 'me') return <MeScreen />
  if (first === 'waiting') return <WaitingScreen />
  if (first === 'locked') return <LockedScreen />
  if (first === 'task') return <TaskScreens key={id} taskId={Number(id)} step={step} />
  if (first === 'stop') return <ParcelScreens key={id} taskId={Number(id)} step={step} />
  return <RouteScreen />
}

function FirstSync({ state }: { state: State }) {
  const say = useSay()
  return (
    <Screen>
      <p role="status" className="p-6 text-center text-large">
        {say(state.isReachable === false ? 'firstSyncOffline' : 'firstSync')}
      </p>
    </Screen>
  )
}
