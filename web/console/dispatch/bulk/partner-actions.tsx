import { Handshake, Undo2 } from 'lucide-react'
import { lazy, type ReactNode, useState } from 'react'
import { type Task, usePartners } from '../../../api/data.ts'
import { canDelegate, canUndelegate } from '../../../tasks/moves.ts'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { Later } from '../../../ui/later.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { BarAction } from './bar-action.tsx'

const GiveDialog = lazy(() => import('../../tasks/hand-over/give-dialog.tsx'))
const TakeBackDialog = lazy(() => import('../../tasks/hand-over/take-back-dialog.tsx'))

type Open = { what: 'give'; tasks: Task[] } | { what: 'owner' | 'fulfiller'; tasks: Task[] }

/** What can be given to a partner, taken back or given back of the selection. Nothing where there are no partners. */
export default function PartnerActions() {
  const say = useLaterSay('partners')
  const { selection } = useDispatch()
  const { data: partners = [] } = usePartners()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const keep = (stayed: Task[]) => selection.set(stayed.map(({ id }) => id))
  const { tasks } = selection
  const hasPartner = partners.some(({ state }) => state === 'partner')
  const ofSide = (side: Task['side']) => tasks.filter((task) => task.side === side && canUndelegate(task))
  const [ours, theirs] = [ofSide('owner'), ofSide('fulfiller')]
  return (
    <>
      {hasPartner && tasks.some((task) => canDelegate(task) && !task.erasedAt) && (
        <BarAction label={say('giveToPartner')} onClick={() => setOpen({ what: 'give', tasks })}>
          <Handshake aria-hidden />
        </BarAction>
      )}
      {ours.length > 0 && (
        <BarAction label={say('takeBack')} onClick={() => setOpen({ what: 'owner', tasks: ours })}>
          <Undo2 aria-hidden />
        </BarAction>
      )}
      {theirs.length > 0 && (
        <BarAction label={say('giveBack')} onClick={() => setOpen({ what: 'fulfiller', tasks: theirs })}>
          <Undo2 aria-hidden />
        </BarAction>
      )}
      {open && (
        <Shown onClose={close}>
          {open.what === 'give' ? (
            <GiveDialog tasks={open.tasks} onDone={keep} onClose={close} />
          ) : (
            <TakeBackDialog tasks={open.tasks} side={open.what} onDone={keep} onClose={close} />
          )}
        </Shown>
      )}
    </>
  )
}

const Shown = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <ErrorBoundary isDialog onClose={onClose}>
    <Later>{children}</Later>
  </ErrorBoundary>
)
