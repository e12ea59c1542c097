import { lazy, useRef, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Later } from '../../../ui/later.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useFormChanges, useUnsaved } from '../../../ui/unsaved.ts'
import { useSay } from '../../../words/console.ts'
import { useAskedSignOut } from './sign-out.tsx'

const Installation = lazy(() => import('./installation.tsx'))

export default function AccountPage() {
  const say = useSay()
  const { person } = useSession()
  const signOut = useAskedSignOut(true)
  return (
    <Page title={say('account')} lead={say('signedInAs', { name: person.email ?? person.name })}>
      <div className="grid max-w-xl gap-5">
        <ChangePassword />
        <Card title={say('sessions')}>
          <div className="grid justify-items-start gap-3 p-4">
            <p className="text-ink-soft">{say('sessionsLead')}</p>
            <Button look="danger" onClick={() => void signOut.begin()}>
              {say('signOutEverywhere')}
            </Button>
          </div>
        </Card>
        {person.superAdmin && (
          <Later>
            <Installation />
          </Later>
        )}
      </div>
      {signOut.question}
    </Page>
  )
}

function ChangePassword() {
  const say = useSay()
  // A new key clears the form after it was submitted.
  const [round, setRound] = useState(0)
  const save = useSave(
    (form: FormData) =>
      api.changePassword({
        body: { currentPassword: String(form.get('currentPassword')), password: String(form.get('password')) },
      }),
    { changes: [], told: say('passwordChanged'), onDone: () => setRound((before) => before + 1), inForm: true },
  )
  const form = useRef<HTMLFormElement>(null)
  const hasChanges = useFormChanges(form)
  useUnsaved(() => !save.isPending && hasChanges())
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  return (
    <Card title={say('changePassword')}>
      <form
        key={round}
        ref={form}
        className="grid gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label={say('currentPassword')}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
          error={wrong('currentPassword')}
        />
        <TextField
          label={say('newPassword')}
          hint={say('passwordHint')}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={longest.password}
          required
          error={wrong('password')}
        />
        {save.error && (
          <p role="alert" className="text-bad">
            {otherProblem(save.error, ['currentPassword', 'password'], say)}
          </p>
        )}
        <Button type="submit" look="primary" busy={save.isPending} className="justify-self-start">
          {say('changePassword')}
        </Button>
      </form>
    </Card>
  )
}
