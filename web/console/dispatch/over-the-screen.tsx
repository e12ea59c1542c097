import { lazy, useEffect, useState } from 'react'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Later } from '../../ui/later.tsx'
import { useSpeech } from '../../words/console.ts'
import { loadEarly } from '../../words/later.ts'
import type Dialogs from './dialogs.tsx'
import { useOpened } from './opened.tsx'

/** Dialogs opened by buttons or keys. */
export function OverTheScreen() {
  const { opened, close } = useOpened()
  useDailyParts()
  if (!opened) return null
  return (
    <ErrorBoundary isDialog onClose={close}>
      <Later>
        <OpenedDialog opened={opened} onClose={close} />
      </Later>
    </ErrorBoundary>
  )
}

const DialogsWhenLoaded = lazy(() => import('./dialogs.tsx'))
let LoadedDialogs: typeof Dialogs | undefined

/** `lazy` shows nothing for a moment even when everything is loaded, and what is typed then would be taken for shortcuts. */
function OpenedDialog(props: Parameters<typeof Dialogs>[0]) {
  const [Shown] = useState(() => LoadedDialogs ?? DialogsWhenLoaded)
  return <Shown {...props} />
}

/**
 * Loads what dispatchers use all day once the screen is there: the first visit stays small, and everything opens when the
 * server does not answer. What fails is tried again, and told, when it is opened.
 */
function useDailyParts() {
  const { language } = useSpeech()
  useEffect(() => {
    const parts = [
      import('./dialogs.tsx').then(({ default: dialogs }) => {
        LoadedDialogs = dialogs
      }),
      import('../day/place-footer.tsx'),
      import('../day/place-choices.tsx'),
      import('../day/undo-now.ts'),
      import('./drop-places.tsx'),
      loadEarly('days', language),
    ]
    void Promise.allSettled(parts)
  }, [language])
}
