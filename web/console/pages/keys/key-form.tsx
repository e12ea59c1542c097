import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { type Scope, scopes } from '../../../../contract/scopes.ts'
import { api } from '../../../api/client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'

/** Creates a key and passes on the secret that is shown only once. */
export function KeyForm({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }) {
  const say = useSay()
  const [some, setSome] = useState(false)
  const save = useSave(
    (form: FormData) => {
      const chosen = form.getAll('scopes') as Scope[]
      const expiresAt = textOf(form, 'expiresAt')
      return api.createKey({
        body: {
          name: textOf(form, 'name') ?? '',
          ...(some && { scopes: chosen }),
          ...(expiresAt && { expiresAt: `${expiresAt} 23:59:59` }),
        },
      })
    },
    { changes: ['keys'], onDone: ({ key }) => onMade(key.secret), inForm: true },
  )
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  return (
    <Dialog title={say('newKey')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, ['name', 'expiresAt'], say)}
        action={say('create')}
        onCancel={onClose}
        onSubmit={(form) => save.mutate(form)}
      >
        <TextField label={say('keyName')} name="name" required maxLength={longest.name} error={wrong('name')} />
        <TextField label={say('expires')} name="expiresAt" type="date" hint={say('never')} error={wrong('expiresAt')} />
        <SelectField
          label={say('mayDo')}
          value={some ? 'some' : 'all'}
          onChange={(event) => setSome(event.target.value === 'some')}
        >
          <option value="all">{say('everything')}</option>
          <option value="some">{say('onlySome')}</option>
        </SelectField>
        {some && (
          <fieldset className="grid grid-cols-2 gap-1.5">
            <legend className="sr-only">{say('mayDo')}</legend>
            {scopes.map((scope) => (
              <Checkbox key={scope} label={scope} name="scopes" value={scope} />
            ))}
          </fieldset>
        )}
      </Form>
    </Dialog>
  )
}
