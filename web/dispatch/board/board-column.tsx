import { useVirtualizer } from '@tanstack/react-virtual'
import { Ban, Undo2 } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import type { StatusId } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { useFormats } from '../../api/time.ts'
import { join } from '../../ui/class-names.ts'
import { statusLooks } from '../../ui/status.tsx'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/words.ts'
import { useDispatch } from '../dispatch.tsx'
import { useCarry, useTaskTarget } from '../drag.ts'
import { useFollowCursor } from '../list/follow-cursor.ts'
import { Grid, GridGroup } from '../list/grid.tsx'
import { rowId } from '../list/task-row.tsx'
import { useMoveTasks } from '../moving.ts'
import { riskOf } from '../risk.ts'
import { Card, cardHeight } from './card.tsx'
import { judgeDrop, type Verdict } from './verdict.ts'

/** One state: how many, how much cash, and the cards. Says what a drop would do before it is let go. */
export function BoardColumn({ status, tasks }: { status: StatusId; tasks: Task[] }) {
  const say = useSay()
  const tell = useTell()
  const move = useMoveTasks()
  const { money } = useFormats()
  const [verdict, setVerdict] = useState<Verdict>()
  const { ref } = useTaskTarget({
    onEnter: (carried) => setVerdict(judgeDrop(carried, status)),
    onLeave: () => setVerdict(undefined),
    onDrop: (carried) => {
      const judged = judgeDrop(carried, status)
      if (judged?.may) move(carried, null)
      else if (judged) tell(say(judged.word), { bad: true })
    },
  })
  const { word, Icon, text } = statusLooks[status]
  const cash = tasks.reduce((sum, { leftToBePaid }) => sum + (leftToBePaid ?? 0), 0)
  return (
    <section
      ref={ref}
      aria-label={say(word)}
      data-status={status}
      className="relative flex min-w-52 flex-1 flex-col border-line border-r last:border-r-0"
    >
      <header className="numbers flex h-9 shrink-0 items-center gap-1.5 whitespace-nowrap px-2.5">
        <Icon aria-hidden className={join('size-4 shrink-0', text)} />
        <h2 className="font-semibold">{say(word)}</h2>
        <span className="text-ink-soft">{tasks.length}</span>
        {cash > 0 && (
          <span title={money(cash)} className="ml-auto truncate text-ink-soft text-xs">
            {money(cash)}
          </span>
        )}
      </header>
      {tasks.length === 0 ? (
        <p className="px-3 text-ink-faint">{say('columnEmpty')}</p>
      ) : (
        <Cards tasks={tasks} name={say(word)} />
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

function Cards({ tasks, name }: { tasks: Task[]; name: string }) {
  const { selection, now, change } = useDispatch()
  const { cursor, click } = selection
  const formats = useFormats()
  const carry = useCarry()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight,
    overscan: 5,
    paddingEnd: 60,
    useFlushSync: false,
  })
  useFollowCursor(virtualizer, tasks, cursor)
  const latest = useRef(change)
  latest.current = change
  const open = useCallback((task: number) => latest.current({ task }, false), [])
  const shown = virtualizer.getVirtualItems()
  const atCursor = shown.map(({ index }) => tasks[index]).find((task) => task?.id === cursor)
  return (
    <Grid
      ref={scroller}
      aria-label={name}
      aria-rowcount={tasks.length}
      aria-activedescendant={atCursor && rowId(atCursor)}
      className="overflow-y-auto"
    >
      <GridGroup className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const task = tasks[index]
          return (
            task && (
              <Card
                key={task.id}
                task={task}
                place={index + 1}
                top={start}
                chosen={selection.ids.has(task.id)}
                atCursor={task.id === cursor}
                risk={riskOf(task, now)}
                formats={formats}
                carry={carry}
                onClick={click}
                onOpen={open}
              />
            )
          )
        })}
      </GridGroup>
    </Grid>
  )
}
