import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { readCoordinates } from '../../../../core/coordinates.ts'
import type { Point } from '../../../../core/geo.ts'
import { useHubs } from '../../../api/data.ts'
import { join } from '../../../ui/class-names.ts'
import { Field, inputLook } from '../../../ui/field.tsx'
import { useSay } from '../../../words/console.ts'
import { type Place, tellPlace } from './place.ts'
import { useSuggestions } from './use-suggestions.ts'

interface Props {
  label: string
  name?: string
  value: string
  hint?: string | undefined
  error?: string | undefined
  required?: boolean
  autoFocus?: boolean
  onType: (text: string) => void
  onChoose: (place: Place) => void
  /** Coordinates or a link of a map were pasted, and what is written stays. */
  onPaste: (point: Point) => void
}

/** An address, with suggestions while it is typed. Without any it is a field like others. */
export function AddressField({ label, value, hint, error, onType, onChoose, onPaste, ...input }: Props) {
  const say = useSay()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { data: hubs } = useHubs()
  const places = useSuggestions(value, isOpen, hubs?.[0])
  const isShown = isOpen && places.length > 0
  const current = isShown ? Math.min(active, places.length - 1) : -1
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  useEscape(isShown, close)

  const choose = (place: Place) => {
    onChoose(place)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && !isOpen) setOpen(true)
    if (step !== 0 && isShown) {
      event.preventDefault()
      // Before the first and after the last stands what was typed.
      const count = places.length + 1
      setActive(((current + 1 + step + count) % count) - 1)
    }
    const place = places[current]
    if (event.key === 'Enter' && place) {
      event.preventDefault()
      choose(place)
    }
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    const isReplaced = selectionStart === 0 && selectionEnd === value.length
    const point = readCoordinates(event.clipboardData.getData('text'))
    if (!point || isReplaced) return
    event.preventDefault()
    onPaste(point)
  }
  return (
    <div>
      <Field label={label} error={error} {...(hint && { hint })}>
        {(control) => (
          <div className="relative">
            <input
              {...control}
              {...input}
              className={inputLook}
              value={value}
              maxLength={longest.addressLine}
              autoComplete="off"
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={isShown}
              aria-controls={`${id}-list`}
              {...(input.required && { 'aria-required': true })}
              {...(current >= 0 && { 'aria-activedescendant': `${id}-${current}` })}
              onChange={(event) => {
                onType(event.target.value)
                setActive(-1)
                setOpen(true)
              }}
              onKeyDown={onKeyDown}
              onBlur={close}
              onPaste={paste}
            />
            <div
              id={`${id}-list`}
              role="listbox"
              aria-label={say('suggestedPlaces')}
              tabIndex={-1}
              hidden={!isShown}
              className="absolute inset-x-0 top-full z-20 mt-1 max-h-[min(18rem,45vh)] overflow-y-auto rounded-md border border-line-strong bg-raised py-1 shadow-raised"
            >
              {isShown &&
                places.map((place, index) => (
                  <Suggestion
                    key={`${place.source} ${place.address} ${place.lat}`}
                    id={`${id}-${index}`}
                    place={place}
                    isActive={index === current}
                    onChoose={() => choose(place)}
                  />
                ))}
            </div>
          </div>
        )}
      </Field>
      <p role="status" className="sr-only">
        {isShown && say('placesFound', { n: places.length })}
      </p>
    </div>
  )
}

interface SuggestionProps {
  id: string
  place: Place
  isActive: boolean
  onChoose: () => void
}

function Suggestion({ id, place, isActive, onChoose }: SuggestionProps) {
  const say = useSay()
  const element = useRef<HTMLDivElement>(null)
  const about = tellPlace(place)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      className={join('cursor-pointer px-2.5 py-1.5 hover:bg-hover', isActive && 'bg-hover')}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className="[overflow-wrap:anywhere]">{place.address}</span>
      {about && <span className="ml-2 text-ink-soft text-xs">{say(about)}</span>}
    </div>
  )
}

/** Escape closes the list alone: the dialog around it hears nothing of it. */
function useEscape(isShown: boolean, close: () => void) {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    if (!isShown) return undefined
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [isShown])
}
