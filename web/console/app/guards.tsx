import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetSession } from '../../api/session.ts'
import { Dialog, LeaveDialog } from '../../ui/dialog.tsx'
import { forgetUnsaved, hasUnsaved } from '../../ui/unsaved.ts'
import { useSay } from '../../words/console.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { useEnded } from './session-end.ts'

/** What keeps typed things from being lost, whatever page is open. */
export default function Guards({ email }: { email: string }) {
  return (
    <>
      <LeaveGuard />
      <SessionEnded email={email} />
    </>
  )
}

interface Place {
  pathname: string
  search: object
}

const taskIn = ({ search }: Place) => ('task' in search ? search.task : undefined)

/** Another page, or another task in the panel; filters and views change around what is typed. */
const isElsewhere = (one: Place, other: Place) => one.pathname !== other.pathname || taskIn(one) !== taskIn(other)

/** Asks once before a link, the back button or closing the tab loses something typed. */
function LeaveGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isElsewhere(current, next) && hasUnsaved(),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  })
  return status === 'blocked' && <LeaveDialog onStay={reset} onLeave={proceed} />
}

/** Signing in again happens over the page, so that nothing typed there is lost. */
function SessionEnded({ email }: { email: string }) {
  const say = useSay()
  const client = useQueryClient()
  const ended = useEnded()
  const [isAsking, setAsking] = useState(false)
  const goOn = () => void client.invalidateQueries({ queryKey: ['session'], exact: true })
  const leave = () => {
    forgetSession(client)
    forgetUnsaved()
  }
  return (
    <Dialog
      title={say('sessionEnded')}
      lead={say('sessionEndedLead')}
      open={ended}
      onClose={() => (hasUnsaved() ? setAsking(true) : leave())}
    >
      <SignInForm email={email} onSignedIn={goOn} />
      {isAsking && <LeaveDialog onStay={() => setAsking(false)} onLeave={leave} />}
    </Dialog>
  )
}
