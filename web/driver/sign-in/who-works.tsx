import { RefreshCw, UserRound, UsersRound } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { isSignedOut } from '../../../phone/answers.ts'
import type { State } from '../../../phone/state.ts'
import { NotKept } from '../../../phone/trouble.ts'
import { problemText } from '../../api/problem.ts'
import { useSay } from '../../words/driver.ts'
import { BigButton, Card, Foot, Screen } from '../looks/parts.tsx'
import { goInstead, screens } from '../looks/screen.ts'
import { waitingIn } from '../looks/truth.ts'
import { phone } from '../outbox/phone.ts'
import { serverFor } from '../outbox/server.ts'
import { signIn } from '../outbox/session.ts'
import { forgetLink } from './link.ts'

/** For sending what waits before the phone changes hands; the rest stays, as the screen says. */
const patienceMs = 10_000

interface Props {
  state: State
  session: NonNullable<State['session']>
  secret: string
}

/** A link was opened while somebody is signed in: asks who works now. What was done before is sent first. */
export function WhoWorks({ state, session, secret }: Props) {
  const say = useSay()
  const [owner, setOwner] = useState<{ id: number; name: string }>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const { name } = session
  const { count } = waitingIn(state)

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem('')
    try {
      await work()
    } catch (error) {
      if (!(error instanceof NotKept)) setProblem(problemText(error, say, { UNAUTHORIZED: 'driverLinkUsed' }))
    } finally {
      setBusy(false)
    }
  }
  const takeOver = async () => {
    await Promise.race([phone.wake(), new Promise((done) => setTimeout(done, patienceMs))])
    await signIn({ secret })
    forgetLink()
    goInstead(screens.route)
  }
  const ask = () =>
    attempt(async () => {
      try {
        setOwner((await serverFor(null).describeDriverLink({ body: { secret } })).user)
      } catch (error) {
        if (!isSignedOut(error)) throw error
        // A used link lets in only the phone that used it: here that was decided, and the answer was lost.
        await takeOver()
      }
    })
  const askFirst = useEffectEvent(() => {
    void phone.wake()
    void ask()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each link that is opened
  useEffect(() => askFirst(), [secret])
  const stay = () => {
    forgetLink()
    goInstead(screens.route)
  }

  const isSame = owner?.id === session.driverId
  return (
    <Screen
      foot={
        <Foot>
          <div className="flex flex-col gap-2">
            {owner && !isSame && (
              <BigButton Icon={UsersRound} disabled={isBusy} onClick={() => void attempt(takeOver)}>
                {say(isBusy ? 'signingIn' : 'switchTo', { name: owner.name })}
              </BigButton>
            )}
            {!owner && problem && (
              <BigButton Icon={RefreshCw} disabled={isBusy} onClick={() => void ask()}>
                {say('retry')}
              </BigButton>
            )}
            <BigButton look="plain" Icon={UserRound} disabled={isBusy && owner !== undefined} onClick={stay}>
              {say('stayAs', { name })}
            </BigButton>
          </div>
        </Foot>
      }
    >
      <div className="flex flex-col gap-4 p-4">
        <h1 className="mt-6 font-bold text-head">{say('whoWorks')}</h1>
        <p role="status" className="text-large">
          {say('phoneIsOf', { name })}{' '}
          {owner ? (isSame ? say('linkIsYours') : say('linkIsOf', { name: owner.name })) : !problem && say('loading')}
        </p>
        {count > 0 && !isSame && (
          <Card look="waiting" className="p-4 font-semibold text-waiting">
            {say('switchWaits', { n: count, name })}
          </Card>
        )}
        <p role="alert" className="font-semibold text-bad empty:hidden">
          {problem}
        </p>
      </div>
    </Screen>
  )
}
