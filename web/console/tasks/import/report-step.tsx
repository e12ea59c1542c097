import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Download, MapPin } from 'lucide-react'
import { useRef } from 'react'
import { mostItems } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { dayToFind } from '../../../tasks/day.ts'
import { Button } from '../../../ui/button.tsx'
import { tableLook } from '../../../ui/page.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useGoToDay } from '../../day/show-task.ts'
import { saveCsv } from '../../files/save.ts'
import { ProblemTable, shownMax } from './check-step.tsx'
import { type Refused, tableOfRefused } from './refused.ts'
import type { Outcome } from './send.ts'

interface Props {
  headers: readonly string[]
  outcomes: Outcome[]
  refused: Refused[]
  fileName: string
  onClose: () => void
}

/** The result of an import: tasks, refused rows, and addresses to check. */
export function ReportStep({ headers, outcomes, refused, fileName, onClose }: Props) {
  const say = useSay()
  const created = outcomes.flatMap(({ task }) => task ?? [])
  const save = () => saveCsv(`${fileName.replace(/\.\w+$/, '')}-refused`, tableOfRefused(headers, refused, say))
  return (
    <div className="grid gap-4">
      <p role="status" className="flex items-center gap-2 font-semibold text-base">
        <CircleCheck aria-hidden className="size-5 text-good" />
        {say('importCreated', { n: created.length })}
      </p>
      <Elsewhere created={created} onClose={onClose} />
      {refused.length > 0 && (
        <section className="grid gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <p className="flex grow items-center gap-2 text-bad">
              <CircleX aria-hidden className="size-4" />
              {say('importRefused', { n: refused.length })}
            </p>
            <Button onClick={save}>
              <Download aria-hidden />
              {say('downloadRefused')}
            </Button>
          </div>
          <p className="text-ink-soft">{say('mendAndImport')}</p>
          <ProblemTable
            total={refused.length}
            rows={refused.slice(0, shownMax).map(({ row, reason }) => ({
              number: row.number,
              address: row.cells.filter(Boolean).slice(0, 3).join(' · '),
              text: reason,
            }))}
          />
        </section>
      )}
      {created.length > 0 && <Addresses created={created} />}
    </div>
  )
}

/** Tasks on other days than the selected one, with links. */
function Elsewhere({ created, onClose }: { created: Created[]; onClose: () => void }) {
  const say = useSay()
  const { day: shown } = useDispatch()
  const { date, timeZone } = useFormats()
  const goTo = useGoToDay()
  const days = [...Map.groupBy(created, (task) => dayToFind(task, shown, timeZone))]
    .filter(([day]) => day !== shown)
    .sort()
  if (days.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p>{say('importElsewhere')}</p>
      {days.map(([day, tasks]) => (
        <Button
          key={day}
          onClick={() => {
            onClose()
            goTo(day)
          }}
        >
          {date(`${day}T12:00:00Z`)} · {say('tasks', { n: tasks.length })}
        </Button>
      ))}
    </div>
  )
}

type Created = NonNullable<Outcome['task']>

const isWaiting = ({ address }: Created) => address.precision === 'none' && !address.geocodingProblem

/** Addresses are looked up after the tasks exist; the results appear here while the dialog is open. */
function Addresses({ created }: { created: Created[] }) {
  const say = useSay()
  const tasks = useFollowed(created)
  const waiting = tasks.filter(isWaiting)
  const doubtful = tasks.filter((task) => task.address.precision !== 'exact' && !isWaiting(task))
  if (waiting.length === 0 && doubtful.length === 0) return <p className="text-ink-soft">{say('addressesFine')}</p>
  return (
    <section className="grid gap-2">
      {waiting.length > 0 && (
        <p role="status" className="text-ink-soft">
          {say('addressesLooked', { n: waiting.length })}
        </p>
      )}
      {doubtful.length > 0 && (
        <>
          <p className="flex items-center gap-2 text-waiting">
            <MapPin aria-hidden className="size-4" />
            {say('addressesDoubtful', { n: doubtful.length })}
          </p>
          <div className="rounded-lg border border-line">
            <table className={tableLook.table}>
              <tbody>
                {doubtful.slice(0, shownMax).map(({ id, awb, address }) => (
                  <tr key={id} className={tableLook.row}>
                    <td className="px-4 py-1.5">
                      {/* In a new tab, because otherwise the report would be gone. */}
                      <a
                        href={`/?task=${id}`}
                        target="_blank"
                        rel="noreferrer"
                        className="text-accent underline-offset-2 hover:underline"
                      >
                        {awb}
                      </a>
                    </td>
                    <td className="px-4 py-1.5">{address.address}</td>
                    <td className="px-4 py-1.5 text-ink-soft">
                      {say(address.precision === 'none' ? 'precisionNone' : 'precisionApproximate')}
                      {address.geocodingProblem && `: ${address.geocodingProblem}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {doubtful.length > shownMax && (
              <p className="px-4 py-2 text-ink-soft">{say('andMore', { n: doubtful.length - shownMax })}</p>
            )}
          </div>
        </>
      )}
    </section>
  )
}

const lookEveryMs = 2_000
/** The server's clock may be behind ours. */
const leewayMs = 60_000

/** The created tasks, polled while some wait for coordinates; only changed ones are read. */
function useFollowed(created: Created[]): Created[] {
  const known = useRef(new Map(created.map((task) => [task.id, task])))
  const since = useRef(Date.now() - leewayMs)
  const { data } = useQuery({
    queryKey: ['imported', created[0]?.id],
    queryFn: async () => {
      const asked = Date.now() - leewayMs
      for (const task of await listChanged(new Date(since.current).toISOString()))
        if (known.current.has(task.id)) known.current.set(task.id, task)
      since.current = asked
      return [...known.current.values()]
    },
    initialData: created,
    refetchInterval: ({ state }) => (state.data?.some(isWaiting) ? lookEveryMs : false),
    gcTime: 0,
  })
  return data
}

async function listChanged(updatedAfter: string): Promise<Task[]> {
  const tasks: Task[] = []
  let cursor: string | undefined
  do {
    const page = await api.listTasks({ query: { updatedAfter, limit: mostItems, ...(cursor && { cursor }) } })
    tasks.push(...page.tasks)
    cursor = page.nextCursor
  } while (cursor)
  return tasks
}
