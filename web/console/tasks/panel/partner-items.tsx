import { Handshake, Undo2 } from 'lucide-react'
import { type Task, usePartners } from '../../../api/data.ts'
import { canDelegate, canUndelegate } from '../../../tasks/moves.ts'
import { MenuItem } from '../../../ui/menu.tsx'
import { useLaterSay } from '../../../words/later.ts'

export type HandOver = 'give' | 'takeBack'

/** Gives the task to a partner, takes it back, or gives it back. Nothing where there are no partners. */
export function PartnerItems({ task, onChoose }: { task: Task; onChoose: (what: HandOver) => void }) {
  const say = useLaterSay('partners')
  const { data: partners = [] } = usePartners()
  return (
    <>
      {partners.some(({ state }) => state === 'partner') && canDelegate(task) && (
        <MenuItem onSelect={() => onChoose('give')}>
          <Handshake aria-hidden />
          {say('giveToPartner')}
        </MenuItem>
      )}
      {canUndelegate(task) && (
        <MenuItem onSelect={() => onChoose('takeBack')}>
          <Undo2 aria-hidden />
          {say(task.side === 'owner' ? 'takeBack' : 'giveBack')}
        </MenuItem>
      )}
    </>
  )
}
