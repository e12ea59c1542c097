import { longest } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import type { Hub } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../../../words/console.ts'

const texts = { streetName: 'street', streetNumber: 'streetNumber', city: 'city', postalCode: 'postalCode' } as const
const fields = ['name', 'lat', 'lng', ...Object.keys(texts)]

const read = (form: FormData) => ({
  name: textOf(form, 'name') ?? '',
  lat: Number(form.get('lat')),
  lng: Number(form.get('lng')),
  ...Object.fromEntries(Object.keys(texts).map((name) => [name, textOf(form, name) ?? ''])),
})

export function HubForm({ hub, onClose }: { hub?: Hub; onClose: () => void }) {
  const say = useSay()
  const save = useSave(
    async (body: ReturnType<typeof read>) => {
      if (hub) await api.updateHub({ params: { hubId: hub.id }, body })
      else await api.createHub({ body })
    },
    { changes: ['hubs', 'teams'], told: say('hubSaved'), onDone: onClose, inForm: true },
  )
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  const degrees = (name: 'lat' | 'lng', most: number) => (
    <TextField
      label={say(name === 'lat' ? 'latitude' : 'longitude')}
      name={name}
      type="number"
      step="any"
      min={-most}
      max={most}
      defaultValue={hub?.[name]}
      required
      error={wrong(name)}
    />
  )
  return (
    <Dialog title={say(hub ? 'editHub' : 'newHub')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, fields, say)}
        onCancel={onClose}
        onSubmit={(form) => save.mutate(read(form))}
      >
        <TextField
          label={say('name')}
          name="name"
          defaultValue={hub?.name}
          required
          maxLength={longest.name}
          error={wrong('name')}
        />
        <div className="grid grid-cols-2 gap-3">
          {Object.entries(texts).map(([name, word]) => (
            <TextField
              key={name}
              label={say(word)}
              name={name}
              defaultValue={hub?.[name as keyof typeof texts]}
              maxLength={longest.name}
              error={wrong(name)}
            />
          ))}
          {degrees('lat', 90)}
          {degrees('lng', 180)}
        </div>
      </Form>
    </Dialog>
  )
}
