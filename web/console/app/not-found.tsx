import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { useSay } from '../../words/console.ts'

export function NotFound() {
  const say = useSay()
  return (
    <main>
      <EmptyState
        title={say('pageNotFound')}
        action={
          <Link to="/" className={buttonLook()}>
            {say('backToDispatch')}
          </Link>
        }
      />
    </main>
  )
}
