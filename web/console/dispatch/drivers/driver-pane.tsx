import { ChevronDown, ChevronRight, Users, X } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Driver } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { IconButton } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { inputLook } from '../../../ui/field.tsx'
import { EmptyState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'
import { useAbsent } from '../../day/absent.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { loadsOf, noLoad } from '../../day/driver-load.ts'
import { findDrivers } from '../../day/driver-order.ts'
import { workdayOf } from '../../day/workday.ts'
import { useTaskTarget } from '../drag.ts'
import { useMoveTasks } from '../moving.ts'
import { DriverRow } from './driver-row.tsx'

/** The drivers on the right, with their progress. Tasks can be dropped on them. */
export default function DriverPane({ canClose, onClose }: { canClose: boolean; onClose: () => void }) {
  const say = useSay()
  const { drivers, isAwaitingDrivers, teams, filters, change, day, isToday } = useDispatch()
  const absent = useAbsent(day)
  const [text, setText] = useState('')
  const [offDutyOpen, setOffDutyOpen] = useState(false)
  const ofTeam = useMemo(
    () => drivers.filter(({ driverTeams }) => !filters.team || driverTeams.some(({ id }) => id === filters.team)),
    [drivers, filters.team],
  )
  const found = useMemo(() => findDrivers(ofTeam, text), [ofTeam, text])
  /** Today those on duty; on another day those who have a shift then and are not absent. */
  const isWorking = (driver: Driver) => (isToday ? driver.inShift : workdayOf(driver, day, absent.has(driver.id)).works)
  const [onDuty, offDuty] = [found.filter(isWorking), found.filter((driver) => !isWorking(driver))]
  const showsOff = offDutyOpen || text !== ''
  // Opens during a drag, so that a task can be dropped on a driver who is off duty.
  const { ref } = useTaskTarget({ onEnter: () => setOffDutyOpen(true), onDrop: () => {} })
  return (
    <div className="flex min-h-0 grow flex-col">
      <header className="grid shrink-0 gap-2 border-line border-b p-2 pl-3">
        <div className="flex h-7 items-center gap-2">
          <h2 className="font-semibold">{say('drivers')}</h2>
          {!isAwaitingDrivers && (
            <span className="numbers text-ink-soft">
              {say(isToday ? 'onDutyCount' : 'worksCount', { n: ofTeam.filter(isWorking).length })}
            </span>
          )}
          {teams.length > 1 && (
            <select
              aria-label={say('team')}
              value={filters.team ?? ''}
              onChange={(event) => change({ team: event.target.value ? Number(event.target.value) : undefined })}
              className="ml-auto max-w-28 truncate rounded-md bg-surface py-0.5 text-ink-soft"
            >
              <option value="">{say('allTeams')}</option>
              {teams.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
          <IconButton
            label={say('close')}
            onClick={onClose}
            className={join('-mr-1 ml-auto !h-7 !w-7', !canClose && 'xl:!hidden')}
          >
            <X />
          </IconButton>
        </div>
        <input
          type="text"
          aria-label={say('findDriver')}
          placeholder={say('findDriver')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={inputLook}
        />
      </header>
      <div className="min-h-0 grow overflow-y-auto">
        {found.length === 0 && !isAwaitingDrivers && (
          <EmptyState picture={<Users />} title={say(drivers.length === 0 ? 'noDriversHere' : 'noDriverMatches')}>
            {drivers.length === 0 && say('noDriversHereLead')}
          </EmptyState>
        )}
        <DriverRows drivers={onDuty} onClose={onClose} />
        {offDuty.length > 0 && (
          <button
            ref={ref}
            type="button"
            aria-expanded={showsOff}
            onClick={() => setOffDutyOpen(!offDutyOpen)}
            className="flex h-8 w-full items-center gap-1.5 border-line border-b bg-sunken px-2.5 text-ink-soft text-xs [&_svg]:size-4"
          >
            {showsOff ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
            {say(isToday ? 'offDuty' : 'notWorking')}
            <span className="numbers ml-auto">{offDuty.length}</span>
          </button>
        )}
        {showsOff && <DriverRows drivers={offDuty} onClose={onClose} />}
      </div>
    </div>
  )
}

function DriverRows({ drivers, onClose }: { drivers: Driver[]; onClose: () => void }) {
  const { all, now, filters, change, day, isToday } = useDispatch()
  const absent = useAbsent(day)
  const formats = useFormats()
  const move = useMoveTasks()
  const loads = useMemo(() => loadsOf(all, now), [all, now])
  const latest = useRef({ filters, change, onClose })
  latest.current = { filters, change, onClose }
  const pick = useCallback(({ id }: Driver) => {
    const { filters, change } = latest.current
    change({ driver: filters.driver === id ? undefined : id })
  }, [])
  const track = useCallback(({ id }: Driver) => {
    const { change, onClose } = latest.current
    change({ driver: id, track: true, view: 'map' }, false)
    // A narrow pane lies over the map.
    onClose()
  }, [])
  if (drivers.length === 0) return null
  return (
    <ul>
      {drivers.map((driver) => (
        <DriverRow
          key={driver.id}
          driver={driver}
          load={loads.get(driver.id) ?? noLoad}
          day={day}
          isToday={isToday}
          isAbsent={absent.has(driver.id)}
          chosen={filters.driver === driver.id}
          formats={formats}
          onPick={pick}
          onTrack={track}
          onGive={move}
        />
      ))}
    </ul>
  )
}
