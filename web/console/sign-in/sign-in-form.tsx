import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { problemText } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useSay } from '../../words/console.ts'

export function SignInForm({ email = '', onSignedIn }: { email?: string; onSignedIn: () => void }) {
  const say = useSay()
  const client = useQueryClient()
  const signIn = useMutation({
    meta: { signsIn: true },
    mutationFn: (body: { email: string; password: string }) => api.signIn({ body }),
    onSuccess: (session) => {
      client.setQueryData(['session'], session)
      client.setQueryData(['session', 'ended'], false)
      onSignedIn()
    },
  })
  const submit = (form: FormData) =>
    signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit(new FormData(event.currentTarget))
      }}
    >
      <TextField label={say('email')} name="email" type="email" autoComplete="username" defaultValue={email} required />
      <TextField
        label={say('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={email !== ''}
      />
      {signIn.isError && (
        <p role="alert" className="text-bad">
          {problemText(signIn.error, say, { UNAUTHORIZED: 'wrongSignIn' })}
        </p>
      )}
      <Button type="submit" look="primary" busy={signIn.isPending}>
        {say('signIn')}
      </Button>
    </form>
  )
}
