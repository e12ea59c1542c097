import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../../contract/errors.ts'
import { chooseLanguage, type Language } from '../requests/language.ts'
import { pageHeaders } from './headers.ts'
import { type Document, makeDocument, sendDocument } from './kept-document.ts'

/* What people read in a browser instead of the page they wanted. */

const plainPage = (language: Language, title: string, text: string, link = '') =>
  makeDocument({
    type: 'text/html',
    bytes: `<!doctype html><html lang="${language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><title>${title}</title>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 20vh auto; padding: 0 1rem">
<main><h1>${title}</h1><p>${text}</p>${link && `<p><a href="/">${link}</a></p>`}</main>`,
    headers: {
      ...pageHeaders("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
      'cache-control': 'no-store',
    },
  })

const notFound: Record<Language, Document> = {
  en: plainPage('en', 'Page not found', 'There is nothing at this address.', 'Go to Waybill'),
  ro: plainPage('ro', 'Pagina nu există', 'Nu există nimic la această adresă.', 'Mergi la Waybill'),
}

/** What someone without an account is told instead of a page. Its status is that of the refusal. */
const refused: Record<'missing' | 'tooMany' | 'busy' | 'notEnded' | 'failed', Record<Language, Document>> = {
  missing: {
    en: plainPage('en', 'Page not found', 'This page does not exist, or it has closed. Check the link you were sent.'),
    ro: plainPage('ro', 'Pagina nu există', 'Pagina nu există sau s-a închis. Verifică linkul pe care l-ai primit.'),
  },
  tooMany: {
    en: plainPage('en', 'Too many tries', 'Please wait a minute, then load the page again.'),
    ro: plainPage('ro', 'Prea multe încercări', 'Așteaptă un minut, apoi reîncarcă pagina.'),
  },
  busy: {
    en: plainPage(
      'en',
      'Please try again',
      'Too many people are asking at this moment. Load the page again in a few seconds.',
    ),
    ro: plainPage('ro', 'Încearcă din nou', 'Acum sunt prea multe cereri. Reîncarcă pagina peste câteva secunde.'),
  },
  notEnded: {
    en: plainPage('en', 'Not finished yet', 'There is a proof as soon as the delivery has ended.'),
    ro: plainPage('ro', 'Nefinalizat încă', 'Dovada va fi disponibilă după încheierea livrării.'),
  },
  failed: {
    en: plainPage('en', 'Something went wrong', 'Please load the page again in a moment.'),
    ro: plainPage('ro', 'Ceva nu a mers', 'Reîncarcă pagina peste câteva momente.'),
  },
}

/** Shows a refusal as a page. */
export function showRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply) {
  const { status, retryAfterSeconds } = refusal
  if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds)
  const language = chooseLanguage(request.headers['accept-language'])
  return sendDocument(request, reply.code(status), refused[kindOf(refusal)][language])
}

function kindOf({ status, code }: Refusal): keyof typeof refused {
  if (code === 'TASK_NOT_ENDED') return 'notEnded'
  return status === 404 ? 'missing' : status === 429 ? 'tooMany' : status === 503 ? 'busy' : 'failed'
}

/** A "not found" page for browsers; undefined for clients that should get an error. */
export function showNotFound(request: FastifyRequest, reply: FastifyReply) {
  const { method, url, headers } = request
  const wantsPage = /^(GET|HEAD)$/.test(method) && headers.accept?.includes('text/html') && !url.startsWith('/api/')
  if (!wantsPage) return undefined
  return sendDocument(request, reply.code(404), notFound[chooseLanguage(headers['accept-language'])])
}
