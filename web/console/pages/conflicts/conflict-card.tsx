import { Link } from '@tanstack/react-router'
import { Check, Undo2 } from 'lucide-react'
import { useId } from 'react'
import { itemProblem } from '../../../api/problem.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { StatusBadge } from '../../../tasks/status.tsx'
import { Button } from '../../../ui/button.tsx'
import { useSay, type Word } from '../../../words/console.ts'
import { type ConflictGroup, canApply, type Effect, effectOf } from '../../conflicts/group.ts'
import { useSettle } from '../../conflicts/settle.ts'
import { DriverStory } from './driver-story.tsx'
import { OfficeStory } from './office-story.tsx'

/** Both sides of what happened to one task, and the decision. */
export function ConflictCard({ group }: { group: ConflictGroup }) {
  const say = useSay()
  const id = useId()
  const [first] = group.conflicts
  const { awb, taskId, statusId, assignedTo, address, user } = first
  return (
    <li aria-labelledby={id} className="rounded-xl border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2.5">
        <h2 id={id} className="font-semibold [overflow-wrap:anywhere]">
          {statusId === null ? (
            awb
          ) : (
            <Link to="/" search={{ task: taskId }} className="text-accent hover:underline">
              {awb}
            </Link>
          )}
        </h2>
        {statusId === null ? (
          <span className="rounded bg-bad-soft px-1.5 py-0.5 font-medium text-bad text-xs">{say('deletedTask')}</span>
        ) : (
          <StatusBadge statusId={statusId} />
        )}
        {assignedTo && <span className="text-ink-soft">{assignedTo.name}</span>}
        <span className="min-w-0 basis-full text-ink-soft [overflow-wrap:anywhere] sm:basis-auto">{address}</span>
      </header>
      <div className="grid divide-line max-md:divide-y md:grid-cols-2 md:divide-x">
        <section className="min-w-0 p-4">
          <h3 className="mb-2 font-semibold">{say('whatDriverDid', { driver: user.name })}</h3>
          <DriverStory group={group} />
        </section>
        <section className="min-w-0 p-4">
          <h3 className="mb-2 font-semibold">{say('whatOfficeDid')}</h3>
          <OfficeStory conflict={first} />
          <p className="mt-3 text-ink-soft">
            {say('refusedBecause', {
              reason:
                first.error.code === 'TASK_NOT_FOUND'
                  ? say('notTheirs', { driver: user.name })
                  : itemProblem(first.error, say),
            })}
          </p>
        </section>
      </div>
      {first.settledAt === null ? <Decide group={group} /> : <Decided group={group} />}
    </li>
  )
}

const effectWords: Record<Effect, Word> = {
  gives: 'applyGives',
  moves: 'applyMoves',
  adds: 'applyAdds',
  ended: 'cannotApplyEnded',
  deleted: 'cannotApplyDeleted',
  pays: 'applyPays',
}

function Decide({ group }: { group: ConflictGroup }) {
  const say = useSay()
  const may = useMay()
  const settle = useSettle()
  const effect = effectOf(group)
  const { awb, user } = group.conflicts[0]
  return (
    <footer className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3">
      <p className="min-w-0 grow basis-64 text-ink-soft">{say(effectWords[effect], { driver: user.name })}</p>
      {may('tasks:write') && (
        <div className="flex flex-wrap gap-2">
          <Button aria-label={`${say('keepAsIs')}: ${awb}`} onClick={() => settle(group, false)}>
            <Undo2 aria-hidden />
            {say('keepAsIs')}
          </Button>
          {canApply(effect) && (
            <Button look="primary" aria-label={`${say('applyDrivers')}: ${awb}`} onClick={() => settle(group, true)}>
              <Check aria-hidden />
              {say('applyDrivers')}
            </Button>
          )}
        </div>
      )}
    </footer>
  )
}

function Decided({ group }: { group: ConflictGroup }) {
  const say = useSay()
  const { dateTime } = useFormats()
  const { applied, settledBy, settledAt, note } = group.conflicts[0]
  return (
    <footer className="border-line border-t px-4 py-3 text-ink-soft">
      {say(applied ? 'appliedBy' : 'keptBy', { name: settledBy ?? '', time: dateTime(settledAt as string) })}
      {note && <span className="block text-ink">{note}</span>}
    </footer>
  )
}
