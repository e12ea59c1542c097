import { Link } from '@tanstack/react-router'
import { Trash2, TriangleAlert } from 'lucide-react'
import { type ErasedCounts, erasedKinds } from '../../../../contract/erasure.ts'
import type { Answer } from '../../../../contract/operations.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../record-words.ts'

/** How somebody is found. */
export const ways = ['phone', 'email', 'awb', 'driverId'] as const
export type Way = (typeof ways)[number]
export type Erased = Answer<'createErasure'>

interface Props {
  by: Way
  found: Erased
  onErase: () => void
}

/** What will be erased, what will not and why, and the button that erases. */
export function Preview({ by, found: { counts, left, leftRegular }, onErase }: Props) {
  const say = useSay()
  const isNothing = erasedKinds.every((kind) => counts[kind] === 0)
  if (isNothing && left.length + leftRegular.length === 0) return <p role="status">{say(`eraseNothing_${by}`)}</p>
  return (
    <div role="status" className="grid gap-4 border-line border-t pt-4">
      {!isNothing && (
        <section className="grid gap-2">
          <h3 className="font-semibold">{say('eraseWould')}</h3>
          <Counts counts={counts} />
        </section>
      )}
      {left.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-semibold">{say('eraseStays', { n: left.length })}</h3>
          <ul className="max-h-48 overflow-y-auto">
            {left.map(({ taskId, awb, because }) => (
              <li key={taskId}>
                <Link to="/" search={{ task: taskId }} className="text-accent underline underline-offset-2">
                  {awb}
                </Link>{' '}
                <span className="text-ink-soft">{say(`eraseStays_${because}`)}</span>
              </li>
            ))}
          </ul>
          <p className="text-ink-soft">{say('eraseStaysLead')}</p>
        </section>
      )}
      {leftRegular.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-semibold">{say('eraseRegular')}</h3>
          <ul className="max-h-48 overflow-y-auto">
            {leftRegular.map(({ kind, id, name }) => (
              <li key={`${kind} ${id}`}>
                <Link to="/schedules" className="text-accent underline underline-offset-2">
                  {name}
                </Link>{' '}
                <span className="text-ink-soft">{say(`eraseRegular_${kind}`)}</span>
              </li>
            ))}
          </ul>
          <p className="text-ink-soft">{say('eraseRegularLead')}</p>
        </section>
      )}
      {!isNothing && (
        <>
          <p className="flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {say(by === 'driverId' ? 'eraseWarning_driver' : 'eraseWarning')}
          </p>
          <Button look="danger" className="justify-self-start" onClick={onErase}>
            <Trash2 aria-hidden />
            {say('erase')}
          </Button>
        </>
      )}
    </div>
  )
}

const Counts = ({ counts }: { counts: ErasedCounts }) => {
  const say = useSay()
  return (
    <ul className="numbers flex flex-wrap gap-2">
      {erasedKinds.map((kind) => (
        <li
          key={kind}
          className={join('rounded-md bg-sunken px-2.5 py-1', counts[kind] === 0 ? 'text-ink-soft' : 'font-medium')}
        >
          {say(`erased_${kind}`, { n: counts[kind] })}
        </li>
      ))}
    </ul>
  )
}
