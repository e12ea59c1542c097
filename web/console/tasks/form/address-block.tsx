import { useState } from 'react'
import { readCoordinates } from '../../../../core/coordinates.ts'
import type { Point } from '../../../../core/geo.ts'
import { useSay } from '../../../words/console.ts'
import { AddressField } from '../place/address-field.tsx'
import { PinPart } from '../place/pin-part.tsx'
import { insideOf, type Pin, type Place, pinOf, written } from '../place/place.ts'
import { WithTheirs } from './bound-fields.tsx'
import type { Draft } from './draft.ts'
import { useForm } from './form-context.tsx'

/** What a chosen suggestion wrote into the form: it goes again when another address is typed. */
type Filled = Pick<Draft, 'address' | 'coordinates' | 'streetName' | 'streetNumber' | 'city' | 'area' | 'postalCode'>

interface Chosen {
  filled: Filled
  pin: Pin
}

/** The address of a task, with suggestions, and its pin. */
export function AddressBlock() {
  const say = useSay()
  const { draft, stored, problems, type } = useForm()
  const [chosen, setChosen] = useState<Chosen>()
  const move = (point: Point) => type({ coordinates: written(point) })
  const choose = (place: Place) => {
    const pin = pinOf(place)
    const filled: Filled = {
      address: place.address,
      // What is only near is looked up once more, and stays marked as such.
      coordinates: pin.isRough ? '' : written(pin),
      streetName: place.streetName ?? '',
      streetNumber: place.streetNumber ?? '',
      city: place.city ?? '',
      area: place.area ?? '',
      postalCode: place.postalCode ?? '',
    }
    const inside = place.source === 'history' ? '' : insideOf(draft.address)
    setChosen({ filled, pin })
    type({
      ...filled,
      ...(place.source === 'history' && { country: place.country }),
      ...(inside && !draft.addressSecondLine.trim() && { addressSecondLine: inside }),
    })
  }
  const retype = (address: string) => {
    const parts = Object.entries(chosen?.filled ?? {}) as [keyof Filled, string][]
    const untouched = parts.filter(([name, value]) => draft[name] === value).map(([name]) => [name, ''])
    setChosen(undefined)
    type({ ...Object.fromEntries(untouched), address })
  }
  const isPlace = readCoordinates(draft.address) !== undefined
  return (
    <>
      <WithTheirs name="address" label="address">
        <AddressField
          label={say('address')}
          value={draft.address}
          hint={isPlace ? say('addressIsPlace') : undefined}
          error={problems.address}
          required
          onType={retype}
          onChoose={choose}
          onPaste={move}
        />
      </WithTheirs>
      <PinPart pin={pinIn(draft, stored, chosen)} onMove={move} />
    </>
  )
}

/** Where the address is, as far as the form knows. Another text has another place. */
function pinIn(
  { address, coordinates }: Draft,
  stored: ReturnType<typeof useForm>['stored'],
  chosen: Chosen | undefined,
): Pin | undefined {
  const isStored = stored !== undefined && coordinates === stored.coordinates
  const given = isStored && address !== stored.address ? undefined : readCoordinates(coordinates)
  if (given) return { ...given, isRough: isStored && stored.isRough }
  const typed = readCoordinates(address)
  if (typed) return { ...typed, isRough: false }
  return chosen?.filled.address === address ? chosen.pin : undefined
}
