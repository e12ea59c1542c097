import {
  ChartGantt,
  ChevronLeft,
  ChevronRight,
  Kanban,
  Keyboard,
  Map as MapIcon,
  Plus,
  Table,
  Truck,
  Upload,
} from 'lucide-react'
import { useMemo } from 'react'
import { Failed, Succeeded } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'
import { useMay } from '../api/session.ts'
import { useFormats } from '../api/time.ts'
import { useLiveness } from '../app/shell.tsx'
import { ExportMenu } from '../tasks/export-menu.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { join } from '../ui/class-names.ts'
import { inputLook } from '../ui/field.tsx'
import { useSay } from '../words/words.ts'
import { addDays, isEnded } from './day.ts'
import { useDispatch } from './dispatch.tsx'
import { type View, views } from './filters.ts'
import { useOpened } from './opened.tsx'
import { riskOf } from './risk.ts'

const icons = { map: MapIcon, table: Table, board: Kanban, timeline: ChartGantt } satisfies Record<View, unknown>

export function TopBar({ driversOpen, onDrivers }: { driversOpen: boolean; onDrivers: () => void }) {
  const say = useSay()
  const { filters, change, drivers, tasks } = useDispatch()
  const { open } = useOpened()
  const may = useMay()('tasks:write')
  const chosen = filters.view ?? 'map'
  return (
    <header className="flex h-13 shrink-0 items-center gap-4 border-line border-b bg-surface px-4">
      <h1 className="font-semibold text-base">{say('dispatch')}</h1>
      <DayPicker />
      <fieldset className="flex rounded-lg border border-line p-0.5">
        <legend className="sr-only">{say('view')}</legend>
        {views.map((view) => {
          const Icon = icons[view]
          return (
            <button
              key={view}
              type="button"
              aria-pressed={view === chosen}
              onClick={() => change({ view }, false)}
              className={join(
                'flex h-7 items-center gap-1.5 rounded-md px-2 font-medium [&_svg]:size-4',
                view === chosen ? 'bg-chosen text-ink' : 'text-ink-soft hover:text-ink',
              )}
            >
              <Icon aria-hidden />
              <span className="max-xl:sr-only">{say(view)}</span>
            </button>
          )
        })}
      </fieldset>
      <DayFigures />
      <div className="grow" />
      <LiveMark />
      <IconButton label={say('keyboardHelp')} onClick={() => open({ what: 'help' })} className="max-xl:hidden">
        <Keyboard />
      </IconButton>
      <Button aria-expanded={driversOpen} title={say('showDrivers')} onClick={onDrivers} className="xl:hidden">
        <Truck aria-hidden />
        <span className="sr-only">{say('showDrivers')}</span>
        <span className="numbers">{`${drivers.filter(({ inShift }) => inShift).length}/${drivers.length}`}</span>
      </Button>
      <ExportMenu tasks={tasks} />
      {may && (
        <>
          <Button title={say('import')} onClick={() => open({ what: 'import' })}>
            <Upload aria-hidden />
            <span className="max-xl:sr-only">{say('import')}</span>
          </Button>
          <Button look="primary" onClick={() => open({ what: 'new' })}>
            <Plus aria-hidden />
            {say('newTask')}
          </Button>
        </>
      )}
    </header>
  )
}

function DayPicker() {
  const say = useSay()
  const { day, isToday, change } = useDispatch()
  const go = (next: string) => change({ day: next }, false)
  return (
    <div className="flex items-center">
      <IconButton label={say('previousDay')} onClick={() => go(addDays(day, -1))}>
        <ChevronLeft />
      </IconButton>
      <input
        type="date"
        aria-label={say('day')}
        value={day}
        onChange={(event) => event.target.value && go(event.target.value)}
        className={join(inputLook, '!w-34')}
      />
      <IconButton label={say('nextDay')} onClick={() => go(addDays(day, 1))}>
        <ChevronRight />
      </IconButton>
      {!isToday && (
        <Button look="quiet" onClick={() => change({ day: undefined }, false)}>
          {say('today')}
        </Button>
      )}
    </div>
  )
}

function countDay(all: Task[], now: number) {
  const judged = all.filter((task) => task.statusId === Succeeded && task.completeBefore)
  return {
    ended: all.filter(isEnded).length,
    judged: judged.length,
    onTime: judged.filter((task) => riskOf(task, now) === 'none').length,
    atRisk: all.filter((task) => !isEnded(task) && riskOf(task, now) !== 'none').length,
    cash: all.reduce((sum, { statusId, leftToBePaid }) => sum + (statusId === Failed ? 0 : (leftToBePaid ?? 0)), 0),
  }
}

/** How the day goes, in five numbers. */
function DayFigures() {
  const say = useSay()
  const { all, drivers, now, change, filters } = useDispatch()
  const { money } = useFormats()
  // The selection and the cursor change far more often than the day does.
  const { ended, judged, onTime, atRisk, cash } = useMemo(() => countDay(all, now), [all, now])
  return (
    <dl className="numbers flex shrink-0 gap-4 whitespace-nowrap max-xl:hidden">
      <Figure word="done" value={`${ended} / ${all.length}`} />
      <Figure word="onTime" value={judged === 0 ? '–' : `${Math.round((100 * onTime) / judged)}%`} />
      <div>
        <dt className="text-ink-faint text-xs">{say('atRisk')}</dt>
        <dd>
          <button
            type="button"
            aria-pressed={filters.risk === true}
            onClick={() => change({ risk: filters.risk ? undefined : true })}
            className={join('font-semibold underline-offset-2 hover:underline', atRisk > 0 && 'text-bad')}
          >
            {atRisk}
          </button>
        </dd>
      </div>
      <Figure word="onDuty" value={`${drivers.filter(({ inShift }) => inShift).length} / ${drivers.length}`} />
      <Figure word="cashToCollect" value={money(cash)} />
    </dl>
  )
}

function Figure({ word, value }: { word: 'done' | 'onTime' | 'onDuty' | 'cashToCollect'; value: string }) {
  const say = useSay()
  return (
    <div>
      <dt className="text-ink-faint text-xs">{say(word)}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}

function LiveMark() {
  const say = useSay()
  const liveness = useLiveness()
  const { time } = useFormats()
  const isLive = liveness.state === 'live'
  const text =
    liveness.state === 'stale' ? say('staleSince', { time: time(liveness.since) }) : say(isLive ? 'live' : 'connecting')
  return (
    <span
      role="status"
      data-liveness={liveness.state}
      title={liveness.state === 'stale' ? say('staleLead', { time: time(liveness.since) }) : undefined}
      className={join(
        'flex items-center gap-1.5',
        liveness.state === 'stale' && 'rounded bg-waiting-soft px-2 py-0.5 font-medium text-waiting',
      )}
    >
      <span aria-hidden className={join('size-2 rounded-full', isLive ? 'bg-good' : 'bg-waiting')} />
      {text}
    </span>
  )
}
