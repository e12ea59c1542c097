import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { HubInput, HubUpdate } from '../../../../contract/hub.ts'
import { longest } from '../../../../contract/limits.ts'
import { readCoordinates } from '../../../../core/coordinates.ts'
import { api } from '../../../api/client.ts'
import type { Hub } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useLaterSay } from '../../../words/later.ts'
import { AddressField } from '../../tasks/place/address-field.tsx'
import { PinPart } from '../../tasks/place/pin-part.tsx'
import { type Pin, type Place, pinOf, written } from '../../tasks/place/place.ts'
import { addressOf } from './address.ts'

const fields = ['name', 'address', 'lat', 'lng']

/** Where the hub is: by its address, like a task, and exactly where the coordinates say if there are any. */
export function HubForm({ hub, onClose }: { hub?: Hub; onClose: () => void }) {
  const say = useLaterSay('firstSteps')
  const [isUnreadable, setUnreadable] = useState(false)
  const known = { address: hub ? addressOf(hub) : '', coordinates: hub ? written(hub) : '' }
  const [address, setAddress] = useState(known.address)
  const [coordinates, setCoordinates] = useState(known.coordinates)
  const [chosen, setChosen] = useState<Place>()
  const [name, setName] = useState(hub?.name ?? '')
  const isChanged = () => name !== (hub?.name ?? '') || address !== known.address || coordinates !== known.coordinates
  const save = useSave(
    async (body: HubInput & HubUpdate) => {
      if (hub) await api.updateHub({ params: { hubId: hub.id }, body })
      else await api.createHub({ body })
    },
    { changes: ['hubs', 'teams'], told: say('hubSaved'), onDone: onClose, inForm: true },
  )
  const submit = () => {
    const place = readCoordinates(coordinates)
    const isWrong = coordinates.trim() !== '' && !place
    setUnreadable(isWrong)
    if (isWrong) return
    save.mutate({
      name: name.trim(),
      ...(address.trim() !== known.address && { address: address.trim() }),
      ...(coordinates.trim() !== known.coordinates && (place ?? (hub && { findAgain: true }))),
    })
  }
  const retype = (text: string) => {
    // The place of the suggestion belongs to its address.
    if (chosen && coordinates === written(chosen)) setCoordinates(known.coordinates)
    setChosen(undefined)
    setAddress(text)
  }
  const choose = (place: Place) => {
    setChosen(place)
    setAddress(place.address)
    setCoordinates(place.precision === 'exact' ? written(place) : known.coordinates)
  }
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  const coordinatesWrong = wrong('lat') ?? wrong('lng')
  const pin = pinIn({ address, coordinates }, known, hub?.precision === 'approximate', chosen)
  return (
    <Dialog title={say(hub ? 'editHub' : 'newHub')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, fields, say)}
        isChanged={isChanged}
        onCancel={onClose}
        onSubmit={submit}
      >
        <TextField
          label={say('name')}
          name="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={longest.name}
          error={wrong('name')}
        />
        <AddressField
          label={say('address')}
          hint={say('hubAddressHint')}
          name="address"
          value={address}
          required={!hub}
          error={wrong('address')}
          onType={retype}
          onChoose={choose}
          onPaste={(point) => setCoordinates(written(point))}
        />
        <PinPart pin={pin} onMove={(point) => setCoordinates(written(point))} />
        <details className="group" open={isUnreadable || coordinatesWrong !== undefined || undefined}>
          <summary className="flex cursor-pointer items-center gap-1 text-ink-soft">
            <ChevronRight aria-hidden className="size-4 group-open:rotate-90" />
            {say('coordinates')}
          </summary>
          <div className="pt-2">
            <TextField
              label={say('coordinates')}
              hint={say(hub?.precision === 'approximate' ? 'hubApproximateHint' : 'coordinatesHint')}
              name="coordinates"
              value={coordinates}
              onChange={(event) => setCoordinates(event.target.value)}
              autoComplete="off"
              error={isUnreadable ? say('coordinatesUnreadable') : coordinatesWrong}
            />
          </div>
        </details>
      </Form>
    </Dialog>
  )
}

interface Written {
  address: string
  coordinates: string
}

/** Where the hub is, as far as the form knows. Another text has another place. */
function pinIn(
  { address, coordinates }: Written,
  known: Written,
  isRough: boolean,
  chosen: Place | undefined,
): Pin | undefined {
  const isKnown = coordinates === known.coordinates
  const given = isKnown && address !== known.address ? undefined : readCoordinates(coordinates)
  if (given) return { ...given, isRough: isKnown && isRough }
  const typed = readCoordinates(address)
  if (typed) return { ...typed, isRough: false }
  return chosen?.address === address ? pinOf(chosen) : undefined
}
