import type { Answer } from '../../../contract/operations.ts'
import type { Task } from '../../api/data.ts'
import { type Formats, useFormats } from '../../api/time.ts'
import { type Say, useSay } from '../../words/console.ts'
import { LateMark } from './route-compare.tsx'

export type Plan = Answer<'planAssignments'>['plan']
type Compromise = NonNullable<Plan['unassigned'][number]['ifSomethingGave']>

interface Props {
  plan: Plan
  tasks: Task[]
}

const cell = 'px-2 py-1.5 align-top'
const head = `${cell} text-left font-medium text-ink-faint text-xs`
/** In a narrow window it scrolls, instead of leaving nothing of its columns. */
const frame = 'w-full min-w-170 table-fixed border-collapse overflow-hidden rounded-lg border border-line'

/** Which driver takes which task, when they arrive, what it costs, and the second choice. */
export function AssignedTasks({ plan, tasks }: Props) {
  const say = useSay()
  const { time, duration, number } = useFormats()
  if (plan.assigned.length === 0) return null
  return (
    <div className="overflow-x-auto shades-across [--beneath:var(--raised)]">
      <table className={frame}>
        <caption className="sr-only">{say('planFinds', { n: plan.assigned.length })}</caption>
        <thead className="bg-sunken">
          <tr>
            <th className={`${head} w-[28%]`}>{say('planTask')}</th>
            <th className={head}>{say('planDriver')}</th>
            <th className={`${head} w-16`}>{say('planArrival')}</th>
            <th className={`${head} w-24 !text-right`}>{say('planAdded')}</th>
            <th className={`${head} w-16 !text-right`} title={say('planCostHint')}>
              {say('planCost')}
            </th>
            <th className={`${head} w-[24%]`}>{say('planRunnerUp')}</th>
          </tr>
        </thead>
        <tbody>
          {plan.assigned.map((one) => (
            <tr key={one.taskId} className="border-line border-t">
              <td className={cell}>
                <TaskName tasks={tasks} taskId={one.taskId} awb={one.awb} />
              </td>
              <td className={`${cell} font-medium [overflow-wrap:anywhere]`}>
                {one.driverName} <LateMark seconds={one.lateSeconds} />
              </td>
              <td className={`${cell} numbers`}>{time(one.arrivalTime)}</td>
              <td className={`${cell} numbers text-right`}>{duration(one.addedTravelSeconds)}</td>
              <td className={`${cell} numbers text-right`}>{number(Math.round(one.cost))}</td>
              <td className={`${cell} numbers text-ink-soft [overflow-wrap:anywhere]`}>
                {one.runnerUp
                  ? `${one.runnerUp.driverName} · ${duration(one.runnerUp.addedTravelSeconds)}`
                  : say('planNoRunnerUp')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Why no driver takes these tasks, and what would have to change. */
export function UnassignedTasks({ plan, tasks }: Props) {
  const say = useSay()
  const formats = useFormats()
  if (plan.unassigned.length === 0) return null
  return (
    <div className="overflow-x-auto shades-across [--beneath:var(--raised)]">
      <table className={frame}>
        <caption className="pb-1 text-left font-medium text-waiting">
          {say('planStays', { n: plan.unassigned.length })}
        </caption>
        <thead className="bg-sunken">
          <tr>
            <th className={`${head} w-[32%]`}>{say('planTask')}</th>
            <th className={head}>{say('planWhy')}</th>
            <th className={`${head} w-[38%]`}>{say('planIfGave')}</th>
          </tr>
        </thead>
        <tbody>
          {plan.unassigned.map(({ taskId, awb, reason, refused, ifSomethingGave }) => (
            <tr key={taskId} className="border-line border-t">
              <td className={cell}>
                <TaskName tasks={tasks} taskId={taskId} awb={awb} />
              </td>
              <td className={cell}>
                {say(`refused_${reason}`)}
                {refused.length > 0 && (
                  <ul className="text-ink-faint text-xs">
                    {refused.slice(0, 3).map((one) => (
                      <li key={one.driverId} className="truncate">
                        {one.driverName}: {say(`refused_${one.reason}`)}
                      </li>
                    ))}
                    {refused.length > 3 && <li>{say('moreTasks', { n: refused.length - 3 })}</li>}
                  </ul>
                )}
              </td>
              <td className={`${cell} numbers`}>{ifSomethingGave ? compromise(ifSomethingGave, say, formats) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TaskName({ tasks, taskId, awb }: { tasks: Task[]; taskId: number; awb: string }) {
  const task = tasks.find(({ id }) => id === taskId)
  return (
    <>
      <span className="block truncate">{task?.address.address}</span>
      <span className="block truncate text-ink-faint text-xs">{awb}</span>
    </>
  )
}

/** “Ana at 14:10: 12 min late, shift 5 min longer”. */
function compromise(one: Compromise, say: Say, { time, duration }: Formats): string {
  const gives = [
    ['giveLate', one.lateSeconds],
    ['giveOthersLate', one.othersLateSeconds],
    ['giveOvertime', one.overtimeSeconds],
    ['giveLunch', one.lunchLateSeconds],
  ] as const
  const what = gives.flatMap(([word, seconds]) => (seconds > 0 ? [say(word, { time: duration(seconds) })] : []))
  return say('giveBy', {
    driver: one.driverName,
    time: time(one.arrivalTime),
    what: what.join(', ') || say(`refused_${one.reason}`),
  })
}
