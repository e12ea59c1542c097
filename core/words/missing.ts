import type { Language } from './languages.ts'

interface Missing {
  title: string
  lead: string
  retry: string
  /** Instead, while the app itself is not there: it may be on its way. */
  late: { title: string; lead: string }
}

/** What an app says if its texts, or all of it, cannot be loaded. It comes with the app, in all languages. */
export const missingTexts: Readonly<Record<Language, Missing>> = {
  en: {
    title: 'Waybill could not be loaded',
    lead: 'The server cannot be reached, or the connection was lost. Check the connection and try again.',
    retry: 'Try again',
    late: {
      title: 'Waybill has not loaded yet',
      lead: 'The server cannot be reached, or the connection is slow. Wait a little, or try again.',
    },
  },
  ro: {
    title: 'Waybill nu a putut fi încărcat',
    lead: 'Serverul nu răspunde sau conexiunea s-a întrerupt. Verifică conexiunea și încearcă din nou.',
    retry: 'Încearcă din nou',
    late: {
      title: 'Waybill nu s-a încărcat încă',
      lead: 'Serverul nu răspunde sau conexiunea este lentă. Mai așteaptă puțin sau încearcă din nou.',
    },
  },
}
