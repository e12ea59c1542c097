import { LogIn } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { codeDigits } from '../../../contract/limits.ts'
import type { State } from '../../../phone/state.ts'
import { NotKept } from '../../../phone/trouble.ts'
import { isPassing, problemText } from '../../api/problem.ts'
import { BrandMark } from '../../ui/brand.tsx'
import { useSay } from '../../words/driver.ts'
import { BigButton, Card, Screen } from '../looks/parts.tsx'
import { goInstead, screens } from '../looks/screen.ts'
import { waitingIn } from '../looks/truth.ts'
import { signIn } from '../outbox/session.ts'
import { forgetLink, hideLink, useLink } from './link.ts'

const field = 'mt-1.5 block min-h-14 w-full rounded-xl border border-line-strong bg-surface px-4 text-large'

/** A link is tried again while the server cannot be reached. */
const againMs = 3_000

/** Why nobody is signed in any more, if somebody was. */
const endOf = (session: State['session']) =>
  session &&
  (session.isSuspended
    ? ({ session, title: 'suspended', lead: 'suspendedLead' } as const)
    : ({ session, title: 'signedOutByOffice', lead: 'signedOutLead' } as const))

export function SignIn({ state }: { state: State }) {
  const say = useSay()
  const [phone, setPhone] = useState('')
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [unanswered, setUnanswered] = useState<string>()
  const { count } = waitingIn(state)
  const ended = endOf(state.session)

  /** Another try of the link changes nothing on the screen until it ends. */
  const attempt = async (given: Parameters<typeof signIn>[0], isAgain = false) => {
    if (!isAgain) {
      setBusy(true)
      setProblem('')
    }
    setUnanswered(undefined)
    try {
      await signIn(given)
      forgetLink()
      goInstead(screens.route)
    } catch (error) {
      setBusy(false)
      // The link is no longer in the address, and not everybody finds it again.
      if ('secret' in given && isPassing(error)) {
        setProblem(say('driverLinkWaits'))
        setUnanswered(given.secret)
        return
      }
      if (error instanceof NotKept) return
      if ('secret' in given) forgetLink()
      const unauthorised = 'secret' in given ? 'driverLinkUsed' : 'wrongCode'
      setProblem(problemText(error, say, { UNAUTHORIZED: unauthorised }))
    }
  }
  const follow = useEffectEvent((secret: string, isAgain?: boolean) => {
    hideLink()
    void attempt({ secret }, isAgain)
  })
  const secret = useLink()
  useEffect(() => {
    if (secret) follow(secret)
  }, [secret])
  useEffect(() => {
    if (!unanswered) return
    const timer = setTimeout(() => follow(unanswered, true), againMs)
    return () => clearTimeout(timer)
  }, [unanswered])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt({ phone, code })
  }

  return (
    <Screen>
      <form onSubmit={submit} className="flex min-h-full flex-col gap-4 p-4">
        <BrandMark className="mt-6 size-12" />
        <h1 className="font-bold text-head">{say(ended ? ended.title : 'driverSignIn')}</h1>
        <p className="text-large">{ended ? say(ended.lead, { name: ended.session.name }) : say('driverSignInLead')}</p>
        {count > 0 && (
          <Card look="waiting" className="p-4 font-semibold text-waiting">
            {say('keptUntilSignIn', { n: count })}
          </Card>
        )}
        <label className="font-semibold">
          {say('yourPhone')}
          <input
            className={field}
            type="tel"
            name="phone"
            autoComplete="tel"
            required
            value={phone}
            onChange={({ target }) => setPhone(target.value)}
          />
        </label>
        <label className="font-semibold">
          {say('yourCode')}
          <input
            className={`${field} numbers tracking-widest`}
            inputMode="numeric"
            name="code"
            autoComplete="one-time-code"
            maxLength={codeDigits}
            required
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </label>
        <p role="alert" className="font-semibold text-bad empty:hidden">
          {problem}
        </p>
        <BigButton type="submit" Icon={LogIn} disabled={isBusy}>
          {say(isBusy ? 'signingIn' : 'signIn')}
        </BigButton>
      </form>
    </Screen>
  )
}
