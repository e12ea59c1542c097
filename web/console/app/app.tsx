import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { WaybillError } from '../../api/client.ts'
import { ThemeProvider } from '../../ui/theme.tsx'
import { Toasts } from '../../ui/toast.tsx'
import { type Spoken, useChosenSpeech } from '../../words/chosen.ts'
import { loadWords, SpeechContext, type Word } from '../../words/console.ts'
import { SpeechContext as SharedSpeech } from '../../words/shared.ts'
import { router } from './router.tsx'

export function App({ spoken }: { spoken: Spoken<Word> }) {
  const speech = useChosenSpeech(spoken, loadWords)
  const [client] = useState(createQueryClient)
  return (
    <SpeechContext value={speech}>
      <SharedSpeech value={speech}>
        <ThemeProvider>
          <QueryClientProvider client={client}>
            <Toasts>
              <RouterProvider router={router} />
            </Toasts>
          </QueryClientProvider>
        </ThemeProvider>
      </SharedSpeech>
    </SpeechContext>
  )
}

/** A request refused because the session has ended marks it as ended; the shell then asks to sign in again. */
function createQueryClient(): QueryClient {
  // While signing in or using a link there is no session that could have ended.
  const notice = (error: Error, meta: object | undefined) => {
    const isRefused = error instanceof WaybillError && error.status === 401
    if (isRefused && !(meta && 'signsIn' in meta)) client.setQueryData(['session', 'ended'], true)
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => notice(error, query.meta) }),
    mutationCache: new MutationCache({ onError: (error, _input, _result, mutation) => notice(error, mutation.meta) }),
    defaultOptions: {
      // The server may be in the same building and work without internet, so we always try.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof WaybillError && error.status >= 400 && error.status < 500),
      },
    },
  })
  return client
}
