import { readdirSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { apps, tilesPath, worldPath } from '../../../contract/pages.ts'
import type { Service } from '../../context.ts'
import type { Maps } from '../../map/current.ts'
import { folderOf } from '../../map/files.ts'
import { tilesFile } from '../../map/tiles/maker.ts'
import { pageHeaders } from './headers.ts'
import { type Document, type DocumentEncoding, makeDocument, sendDocument } from './kept-document.ts'

/** What the apps may do: run only their own scripts, and load a map from the configured hosts. */
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

const notBuilt = makeDocument({
  type: 'text/html',
  bytes: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Waybill</title>
<p>The console is not built. Run <code>npm run build</code> and start again. The API works without it.</p>`,
  headers: pageHeaders("default-src 'none'; frame-ancestors 'none'"),
})

/** A map for sites without internet: tiles of the import, or one file of them that the operator puts into the data folder. */
const ownTiles = tilesFile

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** The apps: one page each for all its addresses, because it reads the address itself, and their files. */
export function mountApps(app: FastifyInstance, { config, maps }: Service, folder: string | undefined) {
  const { style, hosts } = config.map
  const headers = pageHeaders(policy(hosts.join(' ')))
  // Its scanner is WebAssembly where the browser has none of its own.
  const scanning = pageHeaders(policy(hosts.join(' '), "'self' 'wasm-unsafe-eval'"))
  const headersOf = (name: string) => (name === join('driver', 'index.html') ? scanning : headers)
  const kept = folder ? readFiles(folder, headersOf) : new Map<string, Document>()
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
    app.get(path, async () => {
      const map = await findMap(maps)
      const tiles = map?.tiles ?? ((await isFile(join(config.dataFolder, ownTiles))) ? tilesPath : undefined)
      const geocoder = path === '/console.json' && { geocoder: whatIsFound(config) }
      return { mapStyle, ...geocoder, ...(tiles && { tiles }), ...(map && { map: map.about }) }
    })
  // The file has gigabytes, of which browsers read a few kilobytes here and there.
  void app.register(files, { root: config.dataFolder, serve: false, cacheControl: false })
  app.get<{ Querystring: { import?: string } }>(tilesPath, async ({ query }, reply) => {
    if (query.import === undefined) {
      const current = (await maps.current())?.pathOf(tilesFile)
      return reply
        .header('cache-control', 'no-cache')
        .sendFile(current ? relative(config.dataFolder, current) : ownTiles)
    }
    // Parts of two imports must not be mixed, so the address of one answers with that one, or not at all.
    const path = /^\d{1,16}$/.test(query.import) && join(folderOf(config.dataFolder, query.import), tilesFile)
    if (!path || !(await isFile(path))) return reply.callNotFound()
    return reply.header('cache-control', unchanging).sendFile(relative(config.dataFolder, path))
  })
  app.get(worldPath, (_, reply) =>
    folder ? reply.header('cache-control', 'no-cache').sendFile(basename(worldPath), folder) : reply.callNotFound(),
  )
}

/** What pages are told of the import, and where its tiles are: at another address for each, so that no page keeps an old one. */
async function findMap(maps: Maps) {
  const map = await maps.current()
  if (!map) return undefined
  const { id, name, bounds, date, importedAt } = map
  const about = { name, bounds, ...(date && { date: date.toISOString() }), importedAt: importedAt.toISOString() }
  return { about, ...(map.pathOf(tilesFile) && { tiles: `${tilesPath}?import=${id}` }) }
}

/** What the configured geocoder finds, without the name of a service: the console says what to do if that is only cities. */
const whatIsFound = ({ geocoding: { geocoder, googleKey } }: Service['config']) =>
  geocoder === 'off'
    ? 'nothing'
    : geocoder === 'embedded' || (geocoder === 'google' && !googleKey)
      ? 'cities'
      : 'houses'

/** Where the build puts files whose names tell their contents. */
const assets = '/assets/'

/** What has another address when it changes. */
const unchanging = 'public, max-age=31536000, immutable'

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
function readFiles(folder: string, headersOf: (name: string) => Record<string, string>): Map<string, Document> {
  const pages = new Map<string, Document>()
  const names = new Set(readdirSync(folder, { recursive: true }) as string[])
  const readPacked = (name: string) => (names.has(name) ? readFileSync(join(folder, name)) : undefined)
  for (const name of names) {
    const type = types[extname(name)]
    if (!type) continue
    const path = `/${name.replaceAll('\\', '/')}`
    const cache = path.startsWith(assets) ? unchanging : 'no-cache'
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
