import { readdirSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../../contract/errors.ts'
import { apps, tilesPath } from '../../../contract/pages.ts'
import type { Service } from '../../context.ts'
import { chooseLanguage, type Language } from '../requests/language.ts'
import { type Document, type DocumentEncoding, makeDocument, sendDocument } from './kept-document.ts'

/** What the pages may do: run only their own scripts, and load a map from the configured hosts. */
const policy = (mapHosts: string, scripts = "'self'") =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    `img-src 'self' data: blob: ${mapHosts}`,
    `connect-src 'self' ${mapHosts}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** For every page we serve. */
export const pageHeaders = (contentSecurityPolicy: string) => ({
  'content-security-policy': contentSecurityPolicy,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
})

const notBuilt = makeDocument({
  type: 'text/html',
  bytes: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Waybill</title>
<p>The console is not built. Run <code>npm run build</code> and start again. The API works without it.</p>`,
  headers: pageHeaders("default-src 'none'; frame-ancestors 'none'"),
})

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

/** A map for sites without internet: one file of vector tiles that the operator puts into the data folder. */
const tilesFile = 'map.pmtiles'

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** The apps: one page each for all its addresses, because it reads the address itself, and their files. */
export function mountPages(app: FastifyInstance, { config }: Service, folder: string | undefined) {
  const { style, hosts } = config.map
  const headers = pageHeaders(policy(hosts.join(' ')))
  // Its scanner is WebAssembly where the browser has none of its own.
  const scanning = pageHeaders(policy(hosts.join(' '), "'self' 'wasm-unsafe-eval'"))
  const headersOf = (name: string) => (name === join('driver', 'index.html') ? scanning : headers)
  const kept = folder ? readPages(folder, headersOf) : new Map<string, Document>()
  for (const [name, paths] of Object.entries(apps)) {
    const page = kept.get(`/${name}/index.html`)
    for (const path of paths)
      app.get(path, (request, reply) =>
        page ? sendDocument(request, reply, page) : sendDocument(request, reply.code(503), notBuilt),
      )
  }
  for (const [path, document] of kept)
    if (!path.endsWith('.html') && !path.startsWith(assets))
      app.get(path, (request, reply) => sendDocument(request, reply, document))
  // One route: one for each of the hundred files took a twentieth of the server's start.
  app.get<{ Params: { '*': string } }>(`${assets}*`, (request, reply) => {
    const document = kept.get(assets + request.params['*'])
    return document ? sendDocument(request, reply, document) : reply.callNotFound()
  })
  // Checked each time, so that a new map shows without a restart.
  for (const [path, mapStyle] of [
    ['/console.json', style],
    ['/tracking.json', config.map.ofCustomers.style],
  ] as const)
    app.get(path, async () => ({
      mapStyle,
      ...((await isFile(join(config.dataFolder, tilesFile))) && { tiles: tilesPath }),
    }))
  // The file has gigabytes, of which browsers read a few kilobytes here and there.
  void app.register(files, { root: config.dataFolder, serve: false, cacheControl: false })
  app.get(tilesPath, (_, reply) => reply.header('cache-control', 'no-cache').sendFile(tilesFile))
}

/** Where the build puts files whose names tell their contents. */
const assets = '/assets/'

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.txt': 'text/plain',
}

/**
 * All files of the built apps, with their compressed forms. A server keeps serving what it started with. Hundreds of promises
 * would take longer than the files.
 */
function readPages(folder: string, headersOf: (name: string) => Record<string, string>): Map<string, Document> {
  const pages = new Map<string, Document>()
  const names = new Set(readdirSync(folder, { recursive: true }) as string[])
  const readPacked = (name: string) => (names.has(name) ? readFileSync(join(folder, name)) : undefined)
  for (const name of names) {
    const type = types[extname(name)]
    if (!type) continue
    const path = `/${name.replaceAll('\\', '/')}`
    const cache = path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache'
    const packed = { br: readPacked(`${name}.br`), gzip: readPacked(`${name}.gz`) }
    pages.set(
      path,
      // A worker follows the policy of its own file.
      makeDocument({
        type,
        bytes: readFileSync(join(folder, name)),
        packed: withoutMissing(packed),
        headers: { ...headersOf(name), 'cache-control': cache },
      }),
    )
  }
  return pages
}

const withoutMissing = (packed: Record<DocumentEncoding, Buffer | undefined>) =>
  Object.fromEntries(Object.entries(packed).filter(([, bytes]) => bytes)) as Partial<Record<DocumentEncoding, Buffer>>

/** A "not found" page for browsers; undefined for clients that should get an error. */
export function showNotFound(request: FastifyRequest, reply: FastifyReply) {
  const { method, url, headers } = request
  const wantsPage = /^(GET|HEAD)$/.test(method) && headers.accept?.includes('text/html') && !url.startsWith('/api/')
  if (!wantsPage) return undefined
  return sendDocument(request, reply.code(404), notFound[chooseLanguage(headers['accept-language'])])
}
