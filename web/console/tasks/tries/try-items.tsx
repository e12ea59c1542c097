import { CircleSlash2, PackageX, RotateCcw, Scale } from 'lucide-react'
import { type Task, useSetting } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { MenuItem } from '../../../ui/menu.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { canBringBack, canCorrect, canLeave, canTryAgain } from './tried.ts'

export type AfterEnd = 'again' | 'back' | 'leave' | 'correct'

/** What can be done with a task that has ended. */
export default function TryItems({ task, onChoose }: { task: Task; onChoose: (what: AfterEnd) => void }) {
  const say = useLaterSay('tries')
  const may = useMay()
  const mostAttempts = useSetting('mostAttempts') ?? 0
  return (
    <>
      {canTryAgain(task, { mostAttempts }) && (
        <MenuItem onSelect={() => onChoose('again')}>
          <RotateCcw aria-hidden />
          {say('tryAgain')}
        </MenuItem>
      )}
      {canBringBack(task) && (
        <MenuItem onSelect={() => onChoose('back')}>
          <PackageX aria-hidden />
          {say('bringBack')}
        </MenuItem>
      )}
      {canLeave(task) && (
        <MenuItem onSelect={() => onChoose('leave')}>
          <CircleSlash2 aria-hidden />
          {say('leaveAsItIs')}
        </MenuItem>
      )}
      {may('tasks:correct') && canCorrect(task) && (
        <MenuItem onSelect={() => onChoose('correct')}>
          <Scale aria-hidden />
          {say('correctEnd')}
        </MenuItem>
      )}
    </>
  )
}
