import { Link } from '@tanstack/react-router'
import { Check, MapPinned, TriangleAlert } from 'lucide-react'
import { type FormEvent, type RefObject, useState } from 'react'
import { type Certainty, certaintyOf, isMarked, isPlannedAlone } from '../../../../core/certainty.ts'
import { readCoordinates } from '../../../../core/coordinates.ts'
import type { Point } from '../../../../core/geo.ts'
import type { Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { useFormats } from '../../../api/time.ts'
import { dayToFind } from '../../../tasks/day.ts'
import { isInDoubt } from '../../../tasks/doubt.ts'
import { Button } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { useUnsaved } from '../../../ui/unsaved.ts'
import { useLaterSay } from '../../../words/later.ts'
import { AddressField } from '../../tasks/place/address-field.tsx'
import { PinPart } from '../../tasks/place/pin-part.tsx'
import type { Place } from '../../tasks/place/place.ts'
import { whyNotFound } from '../../tasks/why-not-found.ts'
import { type Decision, isChanged } from './correct.ts'
import { keysOfPage, useKeys } from './use-keys.ts'

const [
  {
    keys: [enterKey],
  },
] = keysOfPage

interface Props {
  task: Task
  heading: RefObject<HTMLHeadingElement | null>
  /** What was typed and not saved, by task: who goes on and comes back finds it. */
  drafts: Map<number, string>
  mayCorrect: boolean
  /** What was wrong with the last decision, if it was not taken. */
  error: unknown
  isBusy: boolean
  onDecide: (decision: Decision) => void
  onStep: (by: 1 | -1) => void
}

/** One address: as it was given, what was found of it, and what can be done about it. */
export function AddressCard({ task, heading, drafts, mayCorrect, error, isBusy, onDecide, onStep }: Props) {
  const say = useLaterSay('addresses')
  const { address } = task
  const certainty = certaintyOf(address)
  const [typedText, setTypedText] = useState(drafts.get(task.id))
  const text = typedText ?? address.address
  const setText = (next: string) => {
    drafts.set(task.id, next)
    setTypedText(next)
  }
  const [moved, setMoved] = useState<Point>()

  const written = text.trim()
  const isCorrected = written !== address.address.trim() && written !== ''
  const typed = isCorrected ? readCoordinates(written) : undefined
  const found = address.lat === null || address.lng === null ? undefined : { lat: address.lat, lng: address.lng }
  const point = typed ?? moved
  useUnsaved(() => !isBusy && (isCorrected || moved !== undefined))

  const decide = () => {
    if (!mayCorrect || isBusy) return
    if (point) onDecide({ is: 'there', point })
    else if (found) onDecide({ is: 'right' })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (point) decide()
    else if (isCorrected && !isBusy) onDecide({ is: 'written', address: written })
  }
  const goBack = () => heading.current?.focus()
  /** A house that is known is the place; a street or a city is only another text to look for. */
  const choose = (place: Place) => {
    const isPlace = isPlannedAlone(place)
    setText(isPlace ? address.address : place.address)
    setMoved(isPlace ? { lat: place.lat, lng: place.lng } : undefined)
  }
  const inCard = <Found extends HTMLElement>(selector: string) =>
    heading.current?.closest('article')?.querySelector<Found>(selector)
  useKeys({
    right: decide,
    next: () => onStep(1),
    previous: () => onStep(-1),
    type: () => inCard<HTMLInputElement>('input')?.select(),
    map: () => inCard('canvas')?.focus(),
    pin: () => mayCorrect && inCard('[data-pin-here]')?.click(),
    back: goBack,
  })
  return (
    <article
      data-address
      tabIndex={-1}
      className="grid gap-4 rounded-xl border border-line bg-surface p-4 lg:grid-cols-2"
    >
      <div className="grid content-start gap-3">
        <div>
          <h2
            ref={heading}
            tabIndex={-1}
            data-address
            className="font-semibold text-lg leading-snug outline-none [overflow-wrap:anywhere]"
          >
            {address.address || `${address.lat}, ${address.lng}`}
          </h2>
          <Facts task={task} />
        </div>
        <HowSure task={task} certainty={certainty} />
        {!isInDoubt(task) && certainty === 'sure' && (
          <p role="status" className="text-waiting">
            {say('addressFixedByOther')}
          </p>
        )}
        {mayCorrect && (
          <form onSubmit={submit} className="grid gap-2">
            <AddressField
              label={say('whereItIs')}
              hint={typed ? say('readAsPlace', { place: inNumbers(typed) }) : say('whereItIsHint')}
              value={text}
              onType={setText}
              onChoose={choose}
              onPaste={setMoved}
            />
            {isCorrected && !typed && (
              <Button type="submit" busy={isBusy} className="justify-self-start">
                {say('saveAddress')}
              </Button>
            )}
          </form>
        )}
        {error !== null && (
          <p role="alert" className="text-bad">
            {isChanged(error) ? say('addressFixedByOther') : problemText(error, say)}
          </p>
        )}
        {mayCorrect && (point || found) && (
          <div className="flex flex-wrap items-center gap-2">
            <Button look="primary" busy={isBusy} onClick={decide}>
              {point ? <MapPinned aria-hidden /> : <Check aria-hidden />}
              {say(point ? 'usePlace' : 'thisIsRight')}
              <span aria-hidden>
                <Kbd>{enterKey}</Kbd>
              </span>
            </Button>
            {moved && <Button onClick={() => setMoved(undefined)}>{say('keepPlace')}</Button>}
          </div>
        )}
      </div>
      <PinPart
        pin={point ? { ...point, isRough: false } : found && { ...found, isRough: isMarked(address) }}
        onMove={mayCorrect ? setMoved : () => {}}
      />
    </article>
  )
}

const inNumbers = ({ lat, lng }: Point) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`

/** Whose address it is, for when, and the way to the task. */
function Facts({ task }: { task: Task }) {
  const { window, timeZone } = useFormats()
  const { address, awb, customer, id } = task
  const more = [address.addressSecondLine, address.area, address.city].filter(
    (part) => part && !address.address.includes(part),
  )
  const facts = [customer?.name, customer?.phone, window(task.completeAfter, task.completeBefore), task.user?.name]
  // Any day on which it is listed; today if it is among them.
  const day = dayToFind(task, '', timeZone)
  return (
    <>
      {more.length > 0 && <p className="text-ink-soft">{more.join(' · ')}</p>}
      <p className="numbers text-ink-soft">
        <Link to="/" search={{ day, task: id }} className="text-accent underline-offset-2 hover:underline">
          {awb}
        </Link>
        {facts.filter(Boolean).map((fact) => ` · ${fact}`)}
      </p>
    </>
  )
}

/** What was found of the address, in words. */
function HowSure({ task: { address }, certainty }: { task: Task; certainty: Certainty }) {
  const say = useLaterSay('addresses')
  const why = certainty === 'nowhere' ? whyNotFound(address.geocodingProblem, say) : ''
  const street = [address.streetName, address.streetNumber].filter(Boolean).join(' ')
  const found = [certainty === 'city' ? '' : street, [address.postalCode, address.city].filter(Boolean).join(' ')]
  const place = address.lat === null ? '' : found.filter(Boolean).join(', ')
  return (
    <div className="flex gap-2 rounded-md bg-waiting-soft px-2.5 py-1.5 text-waiting">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p>
        {say(`certainty_${certainty}`)}
        {(why || place) && <span className="block text-ink-soft">{why || say('foundThere', { place })}</span>}
      </p>
    </div>
  )
}
