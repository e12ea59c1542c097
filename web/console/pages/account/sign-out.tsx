import { useState } from 'react'
import { useSession, useSignOut } from '../../../api/session.ts'
import { LeaveDialog } from '../../../ui/dialog.tsx'
import { forgetUnsaved, hasUnsaved } from '../../../ui/unsaved.ts'
import { useSay } from '../../../words/console.ts'
import { ownerOf } from '../../tasks/import/owner.ts'

/** Signing out loses what is typed on the page, and the imports that only this browser keeps, so it asks first. */
export function useAskedSignOut(everywhere = false) {
  const say = useSay()
  const session = useSession()
  const signOut = useSignOut()
  const [lost, setLost] = useState<'typed' | 'import'>()
  const leave = async () => {
    await signOut(everywhere)
    forgetUnsaved()
  }
  const begin = async () => {
    if (hasUnsaved()) setLost('typed')
    else if (await hasUnfinished(ownerOf(session))) setLost('import')
    else await leave()
  }
  const question = lost && (
    <LeaveDialog
      {...(lost === 'import' && { lead: say('signOutEndsImport') })}
      onStay={() => setLost(undefined)}
      onLeave={() => {
        setLost(undefined)
        void leave()
      }}
    />
  )
  return { begin, question }
}

/** Without an answer there is nothing to lose that could still be read. */
const hasUnfinished = (owner: string) =>
  import('../../tasks/import/kept.ts')
    .then(async ({ listUnfinished }) => (await listUnfinished(owner)).length > 0)
    .catch(() => false)
