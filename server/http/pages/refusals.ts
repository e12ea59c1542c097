import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../../contract/errors.ts'
import { type Language, languageCodes } from '../../../core/words/languages.ts'
import { makeSay } from '../../../core/words/say.ts'
import { serverTexts } from '../../../core/words/server.ts'
import { acceptedLanguage } from '../requests/language.ts'
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

/** A page in every language, made once. */
function inEveryLanguage(title: Word, text: Word, link?: Word) {
  const pages = languageCodes.map((language) => {
    const say = makeSay(language, serverTexts[language].pages)
    return [language, plainPage(language, say(title), say(text), link && say(link))]
  })
  return Object.fromEntries(pages) as Record<Language, Document>
}
type Word = keyof (typeof serverTexts)[Language]['pages']

const notFound = inEveryLanguage('notFound', 'notFoundLead', 'goToWaybill')

/** What someone without an account is told instead of a page. Its status is that of the refusal. */
const refused = {
  missing: inEveryLanguage('missing', 'missingLead'),
  tooMany: inEveryLanguage('tooMany', 'tooManyLead'),
  busy: inEveryLanguage('busy', 'busyLead'),
  notEnded: inEveryLanguage('notEnded', 'notEndedLead'),
  failed: inEveryLanguage('failed', 'failedLead'),
}

/** Shows a refusal as a page. */
export function showRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply) {
  const { status, retryAfterSeconds } = refusal
  if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds)
  const language = acceptedLanguage(request.headers['accept-language'])
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
  return sendDocument(request, reply.code(404), notFound[acceptedLanguage(headers['accept-language'])])
}
