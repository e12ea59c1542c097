import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import { api } from '../../api/client.ts'
import { problemText } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadingState } from '../../ui/state.tsx'
import { useSay } from '../../words/console.ts'
import { FrontDoor } from './front-door.tsx'

/** The page of a one-time link. Its token comes after the #, where no server sees it. */
export function WelcomePage() {
  const say = useSay()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [token] = useState(() => location.hash.slice(1))
  const choose = useMutation({
    meta: { signsIn: true },
    mutationFn: (body: { token: string; password: string; email?: string }) => api.setPassword({ body }),
    onSuccess: (session) => {
      client.setQueryData(['session'], session)
      void navigate({ to: '/', replace: true })
    },
  })
  const link = useQuery({
    queryKey: ['link'],
    queryFn: () => api.describeLink({ body: { token } }),
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { signsIn: true },
  })
  if (token && link.isPending) return <LoadingState />
  if (link.isError)
    return (
      <FrontDoor title={say('welcome')} below={say('forgotPassword')}>
        <p role="alert">{problemText(link.error, say, { UNAUTHORIZED: 'linkUsed' })}</p>
      </FrontDoor>
    )
  const lead = link.data && say('welcomeLead', { company: link.data.company.name })
  return (
    <FrontDoor title={say('welcome')} {...(lead && { lead })}>
      {link.data ? (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            const email = link.data.person.email ? {} : { email: String(form.get('email')) }
            choose.mutate({ token, password: String(form.get('password')), ...email })
          }}
        >
          <TextField
            label={say('email')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={link.data.person.email ?? ''}
            readOnly={link.data.person.email !== null}
            required
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
          />
          {choose.isError && (
            <p role="alert" className="text-bad">
              {problemText(choose.error, say, { UNAUTHORIZED: 'linkUsed' })}
            </p>
          )}
          <Button type="submit" look="primary" busy={choose.isPending}>
            {say('enterWaybill')}
          </Button>
        </form>
      ) : (
        <p role="alert">{say('linkMissing')}</p>
      )}
    </FrontDoor>
  )
}
