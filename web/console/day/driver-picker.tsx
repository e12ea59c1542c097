import { lazy, useId, useMemo, useState } from 'react'
import type { Placing } from '../../../contract/planning.ts'
import type { Driver, Task } from '../../api/data.ts'
import { join } from '../../ui/class-names.ts'
import { inputLook } from '../../ui/field.tsx'
import { Later } from '../../ui/later.tsx'
import { useSay } from '../../words/console.ts'
import { useAbsent } from './absent.ts'
import { useDispatch } from './dispatch.tsx'
import { loadsOf, noLoad } from './driver-load.ts'
import { findDrivers } from './driver-order.ts'
import { workdayOf } from './workday.ts'

const PlaceFooter = lazy(() => import('./place-footer.tsx'))

interface Props {
  onPick: (driver: Driver, placing?: Placing) => void
  /** What the driver is picked for: then where in the route is picked, too. */
  tasks?: Task[]
}

/** Finds a driver by a few letters and Enter. Those on duty come first. */
export function DriverPicker({ onPick, tasks }: Props) {
  const say = useSay()
  const { drivers, all, now, day, isToday, isPast } = useDispatch()
  const absent = useAbsent(day)
  /** On another day whether they work then; today whether they are on duty. */
  const noteOn = (driver: Driver) => {
    const { works, hours } = workdayOf(driver, day, absent.has(driver.id))
    if (absent.has(driver.id)) return say('absentThen')
    if (isToday) return driver.inShift ? '' : say('offDuty')
    return works ? hours : say('dayOffThen')
  }
  const [placing, setPlacing] = useState<Placing>('best')
  const hasPlaces = !isPast && tasks !== undefined
  const pick = (driver: Driver) => onPick(driver, hasPlaces ? placing : undefined)
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const loads = useMemo(() => loadsOf(all, now), [all, now])
  const found = useMemo(
    () =>
      findDrivers(
        drivers.filter(({ active }) => active),
        text,
      ),
    [drivers, text],
  )
  const chosen = found[Math.min(at, found.length - 1)]
  const optionId = (driver: Driver) => `${id}-${driver.id}`

  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      const next = Math.max(0, Math.min(found.length - 1, Math.min(at, found.length - 1) + step))
      setAt(next)
      document.getElementById(optionId(found[next] as Driver))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      pick(chosen)
    }
  }
  return (
    <div className="grid gap-2">
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen && optionId(chosen)}
        aria-label={say('findDriver')}
        placeholder={say('findDriver')}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        // biome-ignore lint/a11y/noAutofocus: people open it to type
        autoFocus
        className={inputLook}
      />
      <div id={id} role="listbox" aria-label={say('drivers')} className="max-h-72 overflow-y-auto">
        {found.map((driver, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does the same
          <div
            key={driver.id}
            id={optionId(driver)}
            role="option"
            aria-selected={driver === chosen}
            onClick={() => pick(driver)}
            onPointerMove={() => setAt(index)}
            className={join(
              'flex h-8 cursor-pointer items-center gap-2 rounded-md px-2',
              driver === chosen ? 'bg-chosen' : 'hover:bg-hover',
            )}
          >
            <span
              aria-hidden
              className={join(
                'size-2 shrink-0 rounded-full',
                isToday && driver.inShift ? 'bg-good' : 'border border-line-strong',
              )}
            />
            <span className="truncate">{driver.name}</span>
            <span className="numbers shrink-0 text-ink-faint text-xs">{noteOn(driver)}</span>
            <span className="numbers ml-auto shrink-0 text-ink-faint text-xs">
              {say('openCount', { n: (loads.get(driver.id) ?? noLoad).open.length })}
            </span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-2 text-ink-soft">{say('noDriverMatches')}</p>}
      {hasPlaces && (
        <Later>
          <PlaceFooter driver={chosen} tasks={tasks} chosen={placing} onChoose={setPlacing} />
        </Later>
      )}
    </div>
  )
}
