import { Ban, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { shownStatus } from '../../../../core/delegation.ts'
import { leftAs, sumMoney } from '../../../../core/money.ts'
import type { StatusId } from '../../../../core/task-status.ts'
import { whyEmpty } from '../../../../core/why-empty.ts'
import type { Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { leftWords } from '../../../tasks/left-words.ts'
import { statusLooks } from '../../../tasks/status.tsx'
import { join } from '../../../ui/class-names.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useMayUnassign } from '../../day/may-unassign.ts'
import { useTaskTarget } from '../drag.ts'
import { VirtualTasks } from '../list/virtual-tasks.tsx'
import { useMoveTasks } from '../moving.ts'
import { Card, cardHeight } from './card.tsx'
import { judgeDrop, type Verdict } from './verdict.ts'

/** One state: the number of tasks, the unpaid money, and the cards. Shows what a drop would do before it happens. */
export function BoardColumn({ status, tasks }: { status: StatusId; tasks: Task[] }) {
  const say = useSay()
  const tell = useTell()
  const move = useMoveTasks()
  const { money } = useFormats()
  const { all } = useDispatch()
  const mayUnassign = useMayUnassign()
  const [verdict, setVerdict] = useState<Verdict>()
  const { ref } = useTaskTarget({
    onEnter: (carried) => setVerdict(judgeDrop(carried, status, mayUnassign)),
    onLeave: () => setVerdict(undefined),
    onDrop: (carried) => {
      const judged = judgeDrop(carried, status, mayUnassign)
      if (judged?.may) move(carried, null)
      else if (judged) tell(say(judged.word), { bad: true })
    },
  })
  const { word, Icon, text } = statusLooks[status]
  const what = leftAs(status)
  const left = sumMoney(tasks)[what]
  const empty = whyEmpty(all, (task) => shownStatus(task) === status)
  return (
    <section
      ref={ref}
      aria-label={say(word)}
      data-status={status}
      className="@container relative flex min-w-54 flex-1 flex-col border-line border-r last:border-r-0"
    >
      <header className="numbers flex h-9 shrink-0 items-center gap-1.5 whitespace-nowrap px-2.5">
        <Icon aria-hidden className={join('size-4 shrink-0', text)} />
        <h2 className="font-semibold">{say(word)}</h2>
        <span className="text-ink-soft">{tasks.length}</span>
        {left > 0 && (
          <span
            title={`${say(leftWords[what])}: ${money(left)}`}
            className="ml-auto text-ink-soft text-xs @max-3xs:hidden"
          >
            <span className="sr-only">{say(leftWords[what])}: </span>
            {money(left)}
          </span>
        )}
      </header>
      {tasks.length === 0 ? (
        <p className="px-3 text-ink-faint">{say(empty.why === 'hidden' ? 'noMatch' : 'columnEmpty')}</p>
      ) : (
        <VirtualTasks name={say(word)} tasks={tasks} height={cardHeight} Item={Card} />
      )}
      {verdict && <VerdictCover verdict={verdict} />}
    </section>
  )
}

function VerdictCover({ verdict }: { verdict: Verdict }) {
  const say = useSay()
  const Icon = verdict.may ? Undo2 : Ban
  return (
    <div
      role="status"
      className={join(
        'pointer-events-none absolute inset-1 z-10 grid place-content-center justify-items-center gap-2 rounded-lg border-2 p-4 text-center font-medium',
        verdict.may ? 'border-accent bg-chosen text-ink' : 'border-bad border-dashed bg-bad-soft text-bad',
      )}
    >
      <Icon aria-hidden className="size-5" />
      {say(verdict.word)}
    </div>
  )
}
