import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Eraser, MapPinned, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { certaintyOf } from '../../../../core/certainty.ts'
import { readCoordinates } from '../../../../core/coordinates.ts'
import { isEnded } from '../../../../core/task-status.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/field.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useUnsaved } from '../../../ui/unsaved.ts'
import { useSay } from '../../../words/console.ts'
import { AddressField } from '../place/address-field.tsx'
import { PinPart } from '../place/pin-part.tsx'
import { type Place, written } from '../place/place.ts'
import { whyNotFound } from '../why-not-found.ts'

/** The address of the task, or that it was erased with all that is personal. */
export const AddressPart = ({ task }: { task: Task }) =>
  task.erasedAt ? <ErasedPart erasedAt={task.erasedAt} /> : <KnownAddress task={task} />

function ErasedPart({ erasedAt }: { erasedAt: string }) {
  const say = useSay()
  const { dateTime } = useFormats()
  return (
    <p className="m-4 mt-3 mb-3 flex gap-2 rounded-md bg-sunken px-2.5 py-1.5">
      <Eraser aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-soft" />
      {say('dataErasedOn', { time: dateTime(erasedAt) })}
    </p>
  )
}

/** Whether it was found on the map, and a form to correct it. */
function KnownAddress({ task }: { task: Task }) {
  const say = useSay()
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const { address } = task
  const extra = [address.addressSecondLine, address.area, address.city].filter(
    (part) => part && !address.address.includes(part),
  )
  const mayCorrect = may('tasks:write') && !isEnded(task)
  const certainty = certaintyOf(address)
  return (
    <div className="px-4 pt-3 pb-3">
      <p className="font-semibold text-base leading-snug [overflow-wrap:anywhere]">
        {address.address || `${address.lat}, ${address.lng}`}
      </p>
      {extra.length > 0 && <p className="text-ink-soft">{extra.join(' · ')}</p>}
      {certainty !== 'sure' && <Warning address={address} certainty={certainty} />}
      {mayCorrect && !isOpen && certainty !== 'sure' && (
        <Button className="mt-2" onClick={() => setOpen(true)}>
          <MapPinned aria-hidden />
          {say('correctAddress')}
        </Button>
      )}
      {isOpen && <Correction task={task} onDone={() => setOpen(false)} />}
    </div>
  )
}

const words = {
  near: 'addressNear',
  street: 'addressStreet',
  city: 'addressCity',
  rough: 'addressApproximate',
  nowhere: 'addressNotFound',
  waiting: 'addressWaiting',
} as const

interface WarningProps {
  address: Task['address']
  certainty: keyof typeof words
}

function Warning({ address, certainty }: WarningProps) {
  const say = useSay()
  const isCalm = certainty === 'waiting' || certainty === 'near'
  const why = whyNotFound(address.geocodingProblem, say)
  return (
    <div
      role="status"
      className={join(
        'mt-2 flex gap-2 rounded-md px-2.5 py-1.5',
        isCalm ? 'bg-sunken text-ink-soft' : 'bg-waiting-soft text-waiting',
      )}
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {say(words[certainty])}
        {why && <span className="block text-ink-soft">{why}</span>}
      </span>
    </div>
  )
}

/** A new text is geocoded again; given coordinates are used as they are. */
function Correction({ task, onDone }: { task: Task; onDone: () => void }) {
  const say = useSay()
  const tell = useTell()
  const client = useQueryClient()
  const { address } = task
  const known = address.lat === null ? '' : `${address.lat}, ${address.lng}`
  const [text, setText] = useState(address.address)
  const [coordinates, setCoordinates] = useState(known)
  const place = coordinates.trim() === '' || coordinates === known ? undefined : readCoordinates(coordinates)
  const choose = (chosen: Place) => {
    setText(chosen.address)
    if (chosen.precision === 'exact') setCoordinates(written(chosen))
  }
  const shown = readCoordinates(coordinates)
  const isRough = coordinates === known && address.precision !== 'exact'
  const pin = shown && !(coordinates === known && text !== address.address) ? { ...shown, isRough } : undefined
  const isUnreadable = coordinates.trim() !== '' && !readCoordinates(coordinates)
  const save = useMutation({
    mutationFn: () =>
      api.updateTask({
        params: { awb: task.awb },
        body: {
          address: {
            ...(text.trim() !== address.address && { address: text.trim() }),
            ...(coordinates.trim() === '' && { findAgain: true }),
            ...place,
          },
        },
      }),
    onSuccess: async () => {
      tell(say('addressCorrected'))
      onDone()
      await client.invalidateQueries({ queryKey: ['task', task.id] })
    },
  })
  useUnsaved(() => !save.isPending && (text !== address.address || coordinates !== known))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isUnreadable) save.mutate()
  }
  return (
    <form onSubmit={submit} className="mt-3 grid gap-2 rounded-lg border border-line p-3">
      <AddressField
        label={say('address')}
        value={text}
        autoFocus
        onType={setText}
        onChoose={choose}
        onPaste={(point) => setCoordinates(written(point))}
      />
      <PinPart pin={pin} onMove={(point) => setCoordinates(written(point))} />
      <TextField
        label={say('coordinates')}
        hint={say('coordinatesHint')}
        error={isUnreadable ? say('coordinatesUnreadable') : undefined}
        value={coordinates}
        onChange={(event) => setCoordinates(event.target.value)}
      />
      {save.isError && (
        <p role="alert" className="text-bad">
          {problemText(save.error, say)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{say('cancel')}</Button>
        <Button look="primary" type="submit" busy={save.isPending}>
          {say('save')}
        </Button>
      </div>
    </form>
  )
}
