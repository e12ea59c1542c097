import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { readCoordinates } from '../../../../core/coordinates.ts'
import { api } from '../../../api/client.ts'
import type { Hub } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useLaterSay } from '../../../words/later.ts'
import { addressOf } from './address.ts'

const fields = ['name', 'address', 'lat', 'lng']

/** Where the hub is: by its address, like a task, and exactly where the coordinates say if there are any. */
export function HubForm({ hub, onClose }: { hub?: Hub; onClose: () => void }) {
  const say = useLaterSay('firstSteps')
  const [isUnreadable, setUnreadable] = useState(false)
  const known = { address: hub ? addressOf(hub) : '', coordinates: hub ? `${hub.lat}, ${hub.lng}` : '' }
  const save = useSave(
    async (body: { name: string; address?: string; lat?: number; lng?: number }) => {
      if (hub) await api.updateHub({ params: { hubId: hub.id }, body })
      else await api.createHub({ body })
    },
    { changes: ['hubs', 'teams'], told: say('hubSaved'), onDone: onClose, inForm: true },
  )
  const submit = (form: FormData) => {
    const address = textOf(form, 'address') ?? ''
    const coordinates = textOf(form, 'coordinates') ?? ''
    const place = readCoordinates(coordinates)
    setUnreadable(coordinates !== '' && !place)
    if (coordinates !== '' && !place) return
    save.mutate({
      name: textOf(form, 'name') ?? '',
      ...(address !== known.address && { address }),
      ...(coordinates !== known.coordinates && place),
    })
  }
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  return (
    <Dialog title={say(hub ? 'editHub' : 'newHub')} open onClose={onClose} side>
      <Form busy={save.isPending} problem={otherProblem(save.error, fields, say)} onCancel={onClose} onSubmit={submit}>
        <TextField
          label={say('name')}
          name="name"
          defaultValue={hub?.name}
          required
          maxLength={longest.name}
          error={wrong('name')}
        />
        <TextField
          label={say('address')}
          hint={say('hubAddressHint')}
          name="address"
          defaultValue={known.address}
          required={!hub}
          maxLength={longest.addressLine}
          autoComplete="off"
          error={wrong('address')}
        />
        <TextField
          label={say('coordinates')}
          hint={say(hub?.precision === 'approximate' ? 'hubApproximateHint' : 'coordinatesHint')}
          name="coordinates"
          defaultValue={known.coordinates}
          autoComplete="off"
          error={isUnreadable ? say('coordinatesUnreadable') : (wrong('lat') ?? wrong('lng'))}
        />
      </Form>
    </Dialog>
  )
}
