import {
  ChartGantt,
  Ellipsis,
  Kanban,
  Keyboard,
  List,
  Map as MapIcon,
  Plus,
  Route,
  Table,
  Truck,
  Upload,
} from 'lucide-react'
import { useMemo } from 'react'
import { sumMoney } from '../../../core/money.ts'
import { judgePunctuality, shareOnTime } from '../../../core/punctuality.ts'
import { isEnded } from '../../../core/task-status.ts'
import { type Task, useCompany } from '../../api/data.ts'
import { useIsShop, useMay } from '../../api/session.ts'
import { useFormats } from '../../api/time.ts'
import { useLiveness } from '../../live/liveness.ts'
import { isAtRisk } from '../../tasks/risk.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { join } from '../../ui/class-names.ts'
import { useIsPhone } from '../../ui/media.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { useSay } from '../../words/console.ts'
import { ConflictLink } from '../conflicts/conflict-count.tsx'
import { DayField } from '../day/day-field.tsx'
import { useDispatch } from '../day/dispatch.tsx'
import { type View, views } from '../day/filters.ts'
import { usePlannable } from '../day/plannable.ts'
import { ExportItems } from '../tasks/export-items.tsx'
import { AddressLink } from './address-link.tsx'
import { MessageList } from './message-list.tsx'
import { useOpened } from './opened.tsx'
import { ToDecideLink } from './to-decide-link.tsx'

const icons = { list: List, map: MapIcon, table: Table, board: Kanban, timeline: ChartGantt } satisfies Record<
  View | 'list',
  unknown
>

interface Props {
  driversOpen: boolean
  onDrivers: () => void
  /** On a phone: whether the list is shown, or the map. */
  listFirst: boolean
  onListFirst: (listFirst: boolean) => void
}

/**
 * One line from 1024 pixels up: the figures disappear first, one by one, and rare actions are in the menu. On a tablet two,
 * the figures with the button for a new task in the second; on a phone the lines it needs; in a low window one line again,
 * with what has no name or only a symbol.
 */
export function TopBar({ driversOpen, onDrivers, listFirst, onListFirst }: Props) {
  const say = useSay()
  const { drivers, filters } = useDispatch()
  const { open } = useOpened()
  const may = useMay()('tasks:write')
  const isShop = useIsShop()
  return (
    <header className="relative flex shrink-0 items-center gap-x-3 gap-y-1.5 border-line border-b bg-surface px-3 py-1.5 max-lg:flex-wrap max-sm:gap-x-2 max-sm:px-2 lg:h-13 xl:px-4">
      <h1 className="font-semibold text-base max-xl:sr-only">{say(isShop ? 'taskList' : 'dispatch')}</h1>
      <DayPicker />
      {!isShop && <Views listFirst={listFirst} onListFirst={onListFirst} />}
      <DayFigures />
      <MessageList />
      {!isShop && <ConflictLink />}
      <AddressLink />
      <ToDecideLink />
      <LiveMark />
      {!isShop && (
        <Button
          aria-expanded={driversOpen}
          title={say('showDrivers')}
          onClick={onDrivers}
          className={filters.task ? '' : 'xl:hidden'}
        >
          <Truck aria-hidden />
          <span className="sr-only">{say('showDrivers')}</span>
          <span className="numbers max-sm:hidden">{`${drivers.filter(({ inShift }) => inShift).length}/${drivers.length}`}</span>
        </Button>
      )}
      {may && (
        <Button className="max-wide:hidden" onClick={() => open({ what: 'import' })}>
          <Upload aria-hidden />
          {say('import')}
        </Button>
      )}
      <More />
      {may && (
        <Button look="primary" className="sm:max-lg:order-last max-lg:ml-auto" onClick={() => open({ what: 'new' })}>
          <Plus aria-hidden />
          <span className="short:max-lg:sr-only">{say('newTask')}</span>
        </Button>
      )}
    </header>
  )
}

/** Each view has an icon, with its name if there is space; the current view always shows its name. */
function Views({ listFirst, onListFirst }: Pick<Props, 'listFirst' | 'onListFirst'>) {
  const say = useSay()
  const { filters, change } = useDispatch()
  const isPhone = useIsPhone()
  const view = filters.view ?? 'map'
  const chosen = isPhone && view === 'map' && listFirst ? 'list' : view
  const show = (next: View | 'list') => {
    onListFirst(next === 'list')
    change({ view: next === 'list' ? 'map' : next }, false)
  }
  return (
    <fieldset className="flex shrink-0 rounded-lg border border-line p-0.5">
      <legend className="sr-only">{say('view')}</legend>
      {([...(isPhone ? (['list'] as const) : []), ...views] as const).map((one) => {
        const Icon = icons[one]
        const name = say(one === 'list' ? 'taskList' : one)
        return (
          <button
            key={one}
            type="button"
            aria-pressed={one === chosen}
            title={name}
            onClick={() => show(one)}
            className={join(
              'flex h-7 items-center gap-1.5 rounded-md px-2 font-medium [&_svg]:size-4',
              one === chosen ? 'bg-chosen text-ink' : 'text-ink-soft hover:text-ink',
            )}
          >
            <Icon aria-hidden />
            <span className={one === chosen ? 'max-xl:sr-only' : 'max-2xl:sr-only'}>{name}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

/** Rarely used actions. */
function More() {
  const say = useSay()
  const { tasks, day } = useDispatch()
  const { open } = useOpened()
  const plannable = usePlannable()
  const { data: company } = useCompany()
  const isShop = useIsShop()
  const may = useMay()('tasks:write')
  return (
    <Menu
      trigger={
        <IconButton label={say('more')} look="plain">
          <Ellipsis />
        </IconButton>
      }
    >
      {may && (
        <div className="wide:hidden">
          <MenuItem onSelect={() => open({ what: 'import' })}>
            <Upload aria-hidden />
            {say('import')}
          </MenuItem>
          <MenuLine />
        </div>
      )}
      {may && !isShop && company?.settings.enableRouteOptimization && (
        <>
          <MenuItem onSelect={plannable(() => open({ what: 'optimise' })).onClick}>
            <Route aria-hidden />
            {say('optimiseAll')}
          </MenuItem>
          <MenuLine />
        </>
      )}
      <ExportItems tasks={tasks} day={day} />
      <MenuLine />
      <MenuItem onSelect={() => open({ what: 'help' })}>
        <Keyboard aria-hidden />
        {say('keyboardHelp')}
      </MenuItem>
    </Menu>
  )
}

function DayPicker() {
  const say = useSay()
  const { day, isToday, change } = useDispatch()
  return (
    <div className="flex shrink-0 items-center">
      <DayField day={day} isToday={isToday} onChange={(next) => change({ day: next }, false)} />
      {!isToday && (
        <Button look="quiet" className="!px-2" onClick={() => change({ day: undefined }, false)}>
          {say('today')}
        </Button>
      )}
    </div>
  )
}

function countDay(all: Task[], now: number) {
  return {
    ended: all.filter(isEnded).length,
    onTime: shareOnTime(judgePunctuality(all, now)),
    atRisk: all.filter((task) => isAtRisk(task, now)).length,
    toCollect: sumMoney(all).toCollect,
  }
}

/**
 * The day in five numbers, first what asks for something to be done. Numbers that do not fit wrap to hidden lines below, so each is shown
 * completely or not at all. The empty item lets even the first one wrap if there is no room for it.
 */
function DayFigures() {
  const say = useSay()
  const { all, drivers, isAwaitingDrivers, now, isToday, change, filters, isLoaded } = useDispatch()
  const { money } = useFormats()
  const isShop = useIsShop()
  // The selection and the cursor change far more often than the day does.
  const { ended, onTime, atRisk, toCollect } = useMemo(() => countDay(all, now), [all, now])
  return (
    <dl className="numbers flex h-9 min-w-0 flex-1 flex-wrap gap-x-4 overflow-hidden whitespace-nowrap before:h-9 max-lg:before:hidden max-sm:order-last max-sm:basis-full sm:max-lg:order-1 sm:max-lg:basis-3/5 short:max-lg:hidden">
      <div className="h-9">
        <dt className="text-ink-faint text-xs">{say('atRisk')}</dt>
        <dd>
          <button
            type="button"
            aria-pressed={filters.risk === true}
            onClick={() => change({ risk: filters.risk ? undefined : true })}
            className={join('font-semibold underline-offset-2 hover:underline', atRisk > 0 && 'text-bad')}
          >
            {/* Nothing is 0 of 0 only because it has not arrived yet. */}
            {isLoaded ? atRisk : '–'}
          </button>
        </dd>
      </div>
      <Figure word="done" value={isLoaded ? `${ended} / ${all.length}` : '–'} />
      <Figure word="onTime" value={onTime} />
      <Figure word="toCollect" value={isLoaded ? money(toCollect) : '–'} />
      {isToday && !isShop && (
        <Figure
          word="onDuty"
          value={isAwaitingDrivers ? '–' : `${drivers.filter(({ inShift }) => inShift).length} / ${drivers.length}`}
        />
      )}
    </dl>
  )
}

function Figure({ word, value }: { word: 'done' | 'onTime' | 'onDuty' | 'toCollect'; value: string }) {
  const say = useSay()
  return (
    <div className="h-9">
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
        'flex shrink-0 items-center gap-1.5 whitespace-nowrap',
        liveness.state === 'stale' && 'rounded bg-waiting-soft px-2 py-0.5 font-medium text-waiting',
      )}
    >
      <span aria-hidden className={join('size-2 shrink-0 rounded-full', isLive ? 'bg-good' : 'bg-waiting')} />
      <span className={isLive ? 'max-sm:sr-only short:max-lg:sr-only' : ''}>{text}</span>
    </span>
  )
}
