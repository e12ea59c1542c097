import { Navigate, useRouter, useSearch } from '@tanstack/react-router'
import { useSessionQuery } from '../../api/session.ts'
import { useSay } from '../../words/console.ts'
import { FrontDoor } from './front-door.tsx'
import { SignInForm } from './sign-in-form.tsx'

export function SignInPage() {
  const say = useSay()
  const router = useRouter()
  const { next = '/' } = useSearch({ from: '/sign-in' })
  const { data: session } = useSessionQuery()
  if (session) return <Navigate to={next} replace />
  return (
    <FrontDoor title="Waybill" lead={say('signInLead')} below={say('forgotPassword')}>
      <SignInForm onSignedIn={() => router.history.replace(next)} />
    </FrontDoor>
  )
}
