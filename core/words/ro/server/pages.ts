import type { pageWords as english } from '../../en/server/pages.ts'
import type { Translation } from '../../say.ts'

export const pageWords = {
  notFound: 'Pagina nu există',
  notFoundLead: 'Nu există nimic la această adresă.',
  goToWaybill: 'Mergi la Waybill',
  missing: 'Pagina nu există',
  missingLead: 'Pagina nu există sau s-a închis. Verifică linkul pe care l-ai primit.',
  tooMany: 'Prea multe încercări',
  tooManyLead: 'Așteaptă un minut, apoi reîncarcă pagina.',
  busy: 'Încearcă din nou',
  busyLead: 'Acum sunt prea multe cereri. Reîncarcă pagina peste câteva secunde.',
  notEnded: 'Nefinalizat încă',
  notEndedLead: 'Dovada va fi disponibilă după încheierea livrării.',
  failed: 'Ceva nu a mers',
  failedLead: 'Reîncarcă pagina peste câteva momente.',
} as const satisfies Translation<typeof english>
