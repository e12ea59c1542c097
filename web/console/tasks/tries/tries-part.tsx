import { Link } from '@tanstack/react-router'
import type { Task } from '../../../api/data.ts'
import { useLaterSay } from '../../../words/later.ts'
import { readFilters } from '../../day/filters.ts'
import { Fact, Facts, Part } from '../panel/fact.tsx'

const links = ['attemptOf', 'reattemptedAs', 'returnOf', 'returnedAs'] as const

/** Which try it is, and the way to the others. */
export default function TriesPart({ task }: { task: Task }) {
  const say = useLaterSay('tries')
  return (
    <Part title={say('tryNumber', { n: task.attempt })}>
      <Facts>
        {links.map((name) => (
          <Fact key={name} label={say(name)}>
            {task[name] && <OtherTask other={task[name]} />}
          </Fact>
        ))}
      </Facts>
    </Part>
  )
}

const OtherTask = ({ other: { taskId, awb } }: { other: NonNullable<Task['attemptOf']> }) => (
  <Link
    to="/"
    search={(before) => ({ ...readFilters(before), task: taskId })}
    className="text-accent underline-offset-2 [overflow-wrap:anywhere] hover:underline"
  >
    {awb}
  </Link>
)
