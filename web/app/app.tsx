import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { WaybillError } from '../api/client.ts'
import { Toasts } from '../ui/toast.tsx'
import { type Language, preferredLanguage, SpeechContext, sayIn } from '../words/words.ts'
import { router } from './router.tsx'
import { ThemeProvider } from './theme.tsx'

export function App() {
  const [language, setLanguage] = useState(preferredLanguage)
  const speech = useMemo(() => {
    document.documentElement.lang = language
    const speak = (next: Language) => {
      localStorage.setItem('waybill.language', next)
      setLanguage(next)
    }
    return { language, say: sayIn(language), speak }
  }, [language])
  const [client] = useState(createQueryClient)
  return (
    <SpeechContext value={speech}>
      <ThemeProvider>
        <QueryClientProvider client={client}>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </QueryClientProvider>
      </ThemeProvider>
    </SpeechContext>
  )
}

/** Whatever is refused because the session has ended marks it as ended; the shell then asks to sign in again. */
function createQueryClient(): QueryClient {
  const notice = (error: Error) => {
    if (error instanceof WaybillError && error.status === 401) client.setQueryData(['session', 'ended'], true)
  }
  // Who signs in with a wrong password has no session that could have ended.
  const noticeUnlessSigningIn = (
    error: Error,
    _input: unknown,
    _result: unknown,
    { meta }: { meta?: object | undefined },
  ) => (meta && 'signsIn' in meta ? undefined : notice(error))
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: notice }),
    mutationCache: new MutationCache({
      onError: (error, input, result, mutation) => noticeUnlessSigningIn(error, input, result, mutation),
    }),
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof WaybillError && error.status >= 400 && error.status < 500),
      },
    },
  })
  return client
}
