import { longest } from '../../../../contract/limits.ts'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'

/** Invites a person and passes on the link to set a password. */
export function InviteForm({
  onMade,
  onClose,
}: {
  onMade: (made: Answer<'invitePerson'>) => void
  onClose: () => void
}) {
  const say = useSay()
  const save = useSave(
    (form: FormData) => {
      const name = textOf(form, 'name')
      const role = form.get('role') === 'admin' ? 'admin' : 'dispatcher'
      return api.invitePerson({ body: { email: textOf(form, 'email') ?? '', role, ...(name && { name }) } })
    },
    { changes: ['people'], onDone: onMade, inForm: true },
  )
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  return (
    <Dialog title={say('invitePerson')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, ['email', 'name'], say)}
        action={say('invitePerson')}
        onCancel={onClose}
        onSubmit={(form) => save.mutate(form)}
      >
        <TextField label={say('email')} name="email" type="email" required error={wrong('email')} />
        <TextField label={say('name')} name="name" maxLength={longest.name} error={wrong('name')} />
        <SelectField label={say('role')} name="role" defaultValue="dispatcher" hint={say('roleHint')}>
          <option value="dispatcher">{say('roledispatcher')}</option>
          <option value="admin">{say('roleadmin')}</option>
        </SelectField>
      </Form>
    </Dialog>
  )
}
