import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, CircleX, Download, MapPin, Pencil } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { mostItems } from '../../../../contract/limits.ts'
import { certaintyOf, isToCheck } from '../../../../core/certainty.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { dayToFind } from '../../../tasks/day.ts'
import { Button } from '../../../ui/button.tsx'
import { Later } from '../../../ui/later.tsx'
import { tableLook } from '../../../ui/page.tsx'
import { useLeave } from '../../../ui/unsaved.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useGoToDay } from '../../day/show-task.ts'
import { saveCsv } from '../../files/save.ts'
import { CitiesNotice } from '../cities-notice.tsx'
import { foundWords } from '../found-words.ts'
import { whyNotFound } from '../why-not-found.ts'
import { type Refused, tableOfRefused } from './refused.ts'
import { partOf, type SendSet, type SentTask } from './sets.ts'
import { useSay } from './words.ts'

interface Props {
  headers: readonly string[]
  sets: readonly SendSet[]
  refused: Refused[]
  canFix: boolean
  fileName: string
  onFix: () => void
}

/** Refused rows shown at most; all of them can be saved as a file, or fixed here. */
const shownMax = 100

/** The result of an import: tasks, refused rows, and addresses to check. */
export function ReportStep({ headers, sets, refused, canFix, fileName, onFix }: Props) {
  const say = useSay()
  const outcomes = useMemo(() => sets.flatMap((set) => set.outcomes ?? []), [sets])
  const created = useMemo(() => outcomes.flatMap(({ task }) => task ?? []), [outcomes])
  const updated = outcomes.filter((outcome) => outcome.updated).length
  const save = () => saveCsv(`${fileName.replace(/\.\w+$/, '')}-refused`, tableOfRefused(headers, refused, say))
  return (
    <div className="grid gap-4">
      <div role="status" className="grid gap-1 font-semibold text-base">
        {(created.length > 0 || updated === 0) && <Done>{say('importCreated', { n: created.length })}</Done>}
        {updated > 0 && <Done>{say('importUpdated', { n: updated })}</Done>}
      </div>
      <Elsewhere created={created} />
      {refused.length > 0 && (
        <section className="grid gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <p className="flex grow items-center gap-2 text-bad">
              <CircleX aria-hidden className="size-4" />
              {say('importRefused', { n: refused.length })}
            </p>
            {canFix && (
              <Button onClick={onFix}>
                <Pencil aria-hidden />
                {say('fixRefused')}
              </Button>
            )}
            <Button onClick={save}>
              <Download aria-hidden />
              {say('downloadRefused')}
            </Button>
          </div>
          <ul className="rounded-lg border border-line">
            {refused.slice(0, shownMax).map(({ row, reason }) => (
              <li key={row.number} className="grid gap-x-4 border-line border-b px-3 py-1.5 last:border-b-0 sm:flex">
                <span className="numbers w-10 shrink-0 text-ink-soft">{row.number}</span>
                <span className="min-w-0 truncate sm:w-64 sm:shrink-0">
                  {row.cells.filter(Boolean).slice(0, 3).join(' · ')}
                </span>
                <span className="min-w-0">{reason}</span>
              </li>
            ))}
            {refused.length > shownMax && (
              <li className="px-3 py-2 text-ink-soft">{say('andMore', { n: refused.length - shownMax })}</li>
            )}
          </ul>
        </section>
      )}
      {created.length > 0 && <Addresses created={created} />}
    </div>
  )
}

const Done = ({ children }: { children: ReactNode }) => (
  <p className="flex items-center gap-2">
    <CircleCheck aria-hidden className="size-5 text-good" />
    {children}
  </p>
)

/** Tasks on other days than the selected one, with links. */
function Elsewhere({ created }: { created: Created[] }) {
  const say = useSay()
  const leave = useLeave()
  const { day: shown } = useDispatch()
  const { dayInWords, timeZone } = useFormats()
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
            leave?.()
            goTo(day)
          }}
        >
          {dayInWords(day)} · {say('tasks', { n: tasks.length })}
        </Button>
      ))}
    </div>
  )
}

type Created = SentTask

const isWaiting = ({ address }: Created) => certaintyOf(address) === 'waiting'

/** Addresses are looked up after the tasks exist; the results appear here while the dialog is open. */
function Addresses({ created }: { created: Created[] }) {
  const say = useSay()
  const leave = useLeave()
  const navigate = useNavigate()
  const tasks = useFollowed(created)
  const waiting = tasks.filter(isWaiting)
  const doubtful = tasks.filter(({ address }) => isToCheck(address))
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
          <Later>
            <CitiesNotice />
          </Later>
          <div className="flex flex-wrap items-center gap-2">
            <p className="flex grow items-center gap-2 text-waiting">
              <MapPin aria-hidden className="size-4" />
              {say('addressesDoubtful', { n: doubtful.length })}
            </p>
            <Button
              onClick={() => {
                leave?.()
                void navigate({ to: '/addresses', search: {} })
              }}
            >
              {say('checkAddresses')}
            </Button>
          </div>
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
                      {whyNotFound(address.geocodingProblem, say) || say(foundWords[certaintyOf(address)])}
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

/** So many at once are a long answer: they are asked for less often. */
const many = 1_000
const lookEveryMs = (count: number) => (count > many ? 10_000 : 2_000)
/** What began before the last look may be written after it. */
const leewayMs = 5_000

/** The created tasks, polled while some wait for coordinates; only those changed since the last look are read. */
function useFollowed(created: Created[]): Created[] {
  const known = useRef(new Map(created.map((task) => [task.id, task])))
  // By the clock of the server, because ours may be wrong; from the first on, because while thousands are sent many are found.
  const since = useRef(created[0]?.createdAt ?? '')
  const { data } = useQuery({
    queryKey: ['imported', created[0]?.id],
    queryFn: async () => {
      let changed = 0
      const keep = (task: Task) => known.current.has(task.id) && known.current.set(task.id, partOf(task))
      for await (const task of listPages({ updatedAfter: since.current })) {
        if (Date.parse(task.updatedAt) > Date.parse(since.current) + leewayMs) changed += 1
        keep(task)
        const seen = new Date(Date.parse(task.updatedAt) - leewayMs).toISOString()
        if (seen > since.current) since.current = seen
      }
      // That an address was not found at all changes nothing about its task, so it is asked for, once the others are found.
      if (changed === 0)
        for await (const task of listPages({ doubtful: true, order: 'newest' })) {
          if (task.id < (created[0]?.id ?? 0)) break
          keep(task)
        }
      return [...known.current.values()]
    },
    initialData: created,
    refetchInterval: ({ state }) => (state.data?.some(isWaiting) ? lookEveryMs(created.length) : false),
    gcTime: 0,
  })
  return data
}

/** Page by page: thousands of whole tasks at once would take hundreds of megabytes. */
async function* listPages(query: { updatedAfter?: string; doubtful?: boolean; order?: string }): AsyncGenerator<Task> {
  let cursor: string | undefined
  do {
    const page = await api.listTasks({ query: { ...query, limit: mostItems, ...(cursor && { cursor }) } })
    yield* page.tasks
    cursor = page.nextCursor
  } while (cursor)
}
