import { useVirtualizer } from '@tanstack/react-virtual'
import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react'
import { memo, useCallback, useId, useMemo, useRef, useState } from 'react'
import { itemProblem } from '../../../api/problem.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { ChangeList } from './change-list.tsx'
import type { CheckedRow } from './check.ts'
import type { Mapping } from './columns.ts'
import { EditRow } from './edit-row.tsx'
import { type Fate, fateOf, isToAsk, type KnownRows, problemsOf, saidOf } from './existing.ts'
import { useSay, type Word } from './words.ts'

type Shown = 'all' | 'toFix' | 'existing'

interface Props {
  headers: readonly string[]
  mapping: Mapping
  checked: readonly CheckedRow[]
  known: KnownRows
  hasFailed: boolean
  updates: boolean
  /** Rows that were edited: they stay where they are when they are right. */
  edited: ReadonlySet<number>
  onUpdates: (updates: boolean) => void
  onEdit: (at: number, column: number, cell: string) => void
  /** Looks for existing tasks again, after it failed. */
  onAskAgain: () => void
}

/** The rows before they are sent: what is wrong with them, to be put right here, and what they would change. */
export function CheckStep(props: Props) {
  const { checked, known, updates, edited, hasFailed } = props
  const say = useSay()
  const { number } = useFormats()
  const fates = useMemo(() => checked.map((one) => fateOf(one, known, updates)), [checked, known, updates])
  const counts = useMemo(() => {
    const all = { toFix: 0, create: 0, update: 0, leftOut: 0, same: 0, ended: 0 } satisfies Record<Fate, number>
    for (const fate of fates) all[fate] += 1
    return all
  }, [fates])
  const existing = counts.update + counts.leftOut + counts.same + counts.ended
  const [chosen, setChosen] = useState<Shown>()
  const shown = chosen ?? (counts.toFix > 0 || edited.size > 0 ? 'toFix' : 'all')
  const places = useMemo(
    () =>
      [...checked.keys()].filter((at) => {
        if (shown === 'all') return true
        const number = checked[at]?.row.number as number
        if (shown === 'toFix') return fates[at] === 'toFix' || edited.has(number)
        return saidOf(checked[at] as CheckedRow, known)?.is === 'existing'
      }),
    [checked, fates, known, edited, shown],
  )
  const withAwb = useMemo(() => checked.filter(({ input }) => input.awb).length, [checked])
  const unasked = useMemo(() => checked.filter((one) => isToAsk(one, known)).length, [checked, known])
  const options: [Shown, Word, number][] = [
    ['toFix', 'showToFix', counts.toFix],
    ['existing', 'showExisting', existing],
    ['all', 'showAll', checked.length],
  ]
  return (
    <div className="grid grid-cols-1 gap-3">
      <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="flex items-center gap-2">
          <CircleCheck aria-hidden className="size-4 text-good" />
          {say('rowsReady', { n: counts.create + counts.update })}
        </p>
        {counts.toFix > 0 && (
          <p className="flex items-center gap-2 text-waiting">
            <TriangleAlert aria-hidden className="size-4" />
            {say('rowsToFix', { n: counts.toFix })}
          </p>
        )}
      </div>
      {unasked > 0 && !hasFailed && (
        <p className="flex items-center gap-2 text-ink-soft">
          <LoaderCircle aria-hidden className="size-4 animate-spin" />
          {say('existingAsking', { done: withAwb - unasked, n: withAwb })}
        </p>
      )}
      {hasFailed && (
        <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-waiting">
          <p>{say('existingUnknown')}</p>
          <Button onClick={props.onAskAgain}>{say('retry')}</Button>
        </div>
      )}
      {existing > 0 && <ExistingChoice count={existing} updates={updates} onUpdates={props.onUpdates} />}
      <fieldset aria-label={say('rowsShown')} className="flex flex-wrap gap-1">
        {options.map(([option, word, count]) => (
          <Button
            key={option}
            look="quiet"
            aria-pressed={shown === option}
            className="aria-pressed:bg-chosen aria-pressed:text-ink"
            onClick={() => setChosen(option)}
          >
            {say(word)} <span className="numbers">{number(count)}</span>
          </Button>
        ))}
      </fieldset>
      {places.length === 0 ? (
        <p className="rounded-lg border border-line px-4 py-6 text-center text-ink-soft">
          {say(shown === 'toFix' ? 'allFixed' : 'noRowsShown')}
        </p>
      ) : (
        <Rows key={shown} {...props} fates={fates} places={places} />
      )}
      {shown === 'toFix' && places.length > 1 && <p className="text-ink-faint max-sm:hidden">{say('fixHint')}</p>}
    </div>
  )
}

interface Choice {
  count: number
  updates: boolean
  onUpdates: (updates: boolean) => void
}

function ExistingChoice({ count, updates, onUpdates }: Choice) {
  const say = useSay()
  const name = useId()
  const option = (value: boolean, word: Word) => (
    <label className="flex items-center gap-2">
      <input
        type="radio"
        name={name}
        checked={updates === value}
        onChange={() => onUpdates(value)}
        className="size-4 accent-(--brand)"
      />
      {say(word)}
    </label>
  )
  return (
    <fieldset className="grid gap-1 rounded-lg border border-line px-3 py-2">
      <legend className="sr-only">{say('existingChoice')}</legend>
      <p className="font-medium">{say('rowsExisting', { n: count })}</p>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {option(false, 'existingLeave')}
        {option(true, 'existingUpdate')}
      </div>
      {updates && <p className="text-ink-faint">{say('existingLead')}</p>}
    </fieldset>
  )
}

/** Thousands of rows, of which only the visible ones are drawn. */
function Rows({ places, fates, ...props }: Props & { fates: readonly Fate[]; places: readonly number[] }) {
  const { checked, headers, mapping, known, edited, onEdit } = props
  const say = useSay()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (fates[places[index] as number] === 'toFix' ? 110 : 44),
    getItemKey: (index) => checked[places[index] as number]?.row.number ?? index,
    overscan: 4,
    useFlushSync: false,
  })
  /** The row whose first cell gets the focus as soon as it is drawn. */
  const wanted = useRef<number>(undefined)
  const latest = useRef({ places, fates, checked })
  latest.current = { places, fates, checked }
  const goFrom = useCallback(
    (at: number, step: 1 | -1) => {
      const { places, fates, checked } = latest.current
      let index = places.indexOf(at) + step
      while (index >= 0 && index < places.length && fates[places[index] as number] !== 'toFix') index += step
      const next = places[index]
      if (next === undefined) return
      wanted.current = checked[next]?.row.number
      virtualizer.scrollToIndex(index, { align: 'auto' })
      const drawn = scroller.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"] input`)
      if (drawn) {
        wanted.current = undefined
        drawn.focus()
      }
    },
    [virtualizer],
  )
  const takeFocus = useCallback((number: number) => {
    if (wanted.current !== number) return false
    wanted.current = undefined
    return true
  }, [])
  const sayRefusal = useCallback((error: { code: string; message: string }) => itemProblem(error, say), [say])
  return (
    <div ref={scroller} className="max-h-[min(55vh,34rem)] overflow-y-auto rounded-lg border border-line">
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const at = places[index] as number
          const one = checked[at] as CheckedRow
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-row={one.row.number}
              aria-setsize={places.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-line border-b px-3 py-2"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Drawn
                at={at}
                one={one}
                fate={fates[at] as Fate}
                isEdited={edited.has(one.row.number)}
                headers={headers}
                mapping={mapping}
                known={known}
                sayRefusal={sayRefusal}
                onEdit={onEdit}
                onGo={goFrom}
                takeFocus={takeFocus}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const fateLooks = {
  toFix: ['rowToFix', 'bg-waiting-soft text-waiting'],
  create: ['rowReady', 'bg-good-soft text-good'],
  update: ['rowUpdates', 'bg-good-soft text-good'],
  leftOut: ['rowLeftOut', 'bg-sunken text-ink-soft'],
  same: ['rowSame', 'bg-sunken text-ink-soft'],
  ended: ['rowEnded', 'bg-sunken text-ink-soft'],
} as const satisfies Record<Fate, [Word, string]>

interface DrawnProps {
  at: number
  one: CheckedRow
  fate: Fate
  isEdited: boolean
  headers: readonly string[]
  mapping: Mapping
  known: KnownRows
  sayRefusal: (error: { code: string; message: string }) => string
  onEdit: (at: number, column: number, cell: string) => void
  onGo: (at: number, step: 1 | -1) => void
  takeFocus: (number: number) => boolean
}

const Drawn = memo(function Drawn({ at, one, fate, isEdited, known, sayRefusal, ...rest }: DrawnProps) {
  const say = useSay()
  const [word, look] = fateLooks[fate]
  const { row, input } = one
  const said = saidOf(one, known)
  const name = [input.awb, addressLine(input.address), windowLine(input.completeAfter, input.completeBefore)]
    .concat(input.customer?.name ?? input.customer?.phone)
    .filter(Boolean)
    .join(' · ')
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div className="flex items-start gap-3">
        <span className="numbers w-10 shrink-0 text-ink-faint" title={say('rowNumber')}>
          {row.number}
        </span>
        <span className="min-w-0 grow truncate">{name}</span>
        <span className={join('shrink-0 rounded px-1.5 py-0.5 font-medium text-xs', look)}>
          {say(isEdited && fate === 'create' ? 'rowFixed' : word)}
        </span>
      </div>
      {said?.is === 'existing' && fate !== 'same' && <ChangeList changes={said.changes} />}
      <EditRow
        {...rest}
        at={at}
        row={row}
        problems={fate === 'toFix' ? problemsOf(one, known, sayRefusal) : []}
        isOpen={fate === 'toFix' || isEdited}
      />
    </div>
  )
})

type Address = CheckedRow['input']['address']
const addressLine = ({ address, streetName, streetNumber, city, lat, lng }: Address) =>
  [address ?? [streetName, streetNumber].filter(Boolean).join(' '), city].filter(Boolean).join(', ') ||
  (lat === undefined ? '' : `${lat}, ${lng}`)

const windowLine = (after?: string | null, before?: string | null) =>
  after && before && after.slice(0, 10) === before.slice(0, 10)
    ? `${after} – ${before.slice(11)}`
    : [after, before].filter(Boolean).join(' – ')
