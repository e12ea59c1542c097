import type { Language } from './languages.ts'

/** What an app says if its texts cannot be loaded. It comes with the app, in all languages. */
export const missingTexts: Readonly<Record<Language, { title: string; lead: string; retry: string }>> = {
  en: {
    title: 'Waybill could not be loaded',
    lead: 'The server cannot be reached, or the connection was lost. Check the connection and try again.',
    retry: 'Try again',
  },
  ro: {
    title: 'Waybill nu a putut fi încărcat',
    lead: 'Serverul nu răspunde sau conexiunea s-a întrerupt. Verifică conexiunea și încearcă din nou.',
    retry: 'Încearcă din nou',
  },
}
