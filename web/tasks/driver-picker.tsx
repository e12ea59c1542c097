import { Popover } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { type Driver, useDrivers } from '../api/data.ts'
import { fold } from '../dispatch/filters.ts'
import { join } from '../ui/class-names.ts'
import { inputLook } from '../ui/field.tsx'
import { useSay } from '../words/words.ts'

interface Props {
  trigger: ReactNode
  /** The present one, marked in the list. */
  driverId: number | null
  onPick: (driver: Driver | null) => void
  /** What the choice of nobody is called; there is no such choice without it. */
  noneLabel?: string | undefined
}

/** A button that opens a list of drivers with a search: typed, walked with the arrows, chosen with Enter. */
export function DriverPicker({ trigger, driverId, onPick, noneLabel }: Props) {
  const [isOpen, setOpen] = useState(false)
  const pick = (driver: Driver | null) => {
    setOpen(false)
    onPick(driver)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          className="z-60 w-72 rounded-lg border border-line bg-raised p-1 shadow-raised outline-none"
        >
          <Choices driverId={driverId} onPick={pick} noneLabel={noneLabel} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** Those on duty first, then by name. */
const byDuty = (one: Driver, other: Driver) =>
  Number(other.inShift) - Number(one.inShift) || one.name.localeCompare(other.name)

function Choices({ driverId, onPick, noneLabel }: Omit<Props, 'trigger'>) {
  const say = useSay()
  const id = useId()
  const { data: drivers = [] } = useDrivers()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => {
    const wanted = fold(text)
    return drivers.filter(({ name, phone }) => fold(`${name} ${phone}`).includes(wanted)).sort(byDuty)
  }, [drivers, text])
  const choices: (Driver | null)[] = noneLabel && text === '' ? [null, ...found] : found
  const chosen = Math.min(at, choices.length - 1)

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && choices.length > 0) {
      event.preventDefault()
      setAt((chosen + step + choices.length) % choices.length)
    }
    const choice = choices[chosen]
    if (event.key === 'Enter' && choice !== undefined) {
      event.preventDefault()
      onPick(choice)
    }
  }
  return (
    <>
      <input
        // The list is opened to type into it.
        // biome-ignore lint/a11y/noAutofocus: focus belongs into what was just opened
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length > 0 ? `${id}-${chosen}` : undefined}
        aria-label={say('searchDrivers')}
        placeholder={say('searchDrivers')}
        className={inputLook}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      {choices.length === 0 && <p className="px-2 py-3 text-ink-soft">{say('noDriverFound')}</p>}
      <div id={`${id}-list`} role="listbox" aria-label={say('drivers')} className="mt-1 max-h-72 overflow-y-auto">
        {choices.map((driver, index) => (
          // The keyboard stays in the search; what it stands on is told by aria-activedescendant.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={driver?.id ?? 0}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            ref={(element) => {
              if (index === chosen) element?.scrollIntoView({ block: 'nearest' })
            }}
            onPointerMove={() => setAt(index)}
            onClick={() => onPick(driver)}
            className={join(
              'flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5',
              index === chosen && 'bg-hover',
            )}
          >
            <span className={join('grow truncate', (driver?.id ?? null) === driverId && 'font-semibold')}>
              {driver ? driver.name : noneLabel}
            </span>
            {driver && !driver.inShift && <span className="text-ink-faint text-xs">{say('driverOff')}</span>}
          </div>
        ))}
      </div>
    </>
  )
}
