import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../context.ts'

/** What the pages may do: run their own scripts and nothing else, and fetch a map from where it is configured to be. */
const policy = (mapHosts: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
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

const notBuilt = `<!doctype html><meta charset="utf-8"><title>Waybill</title>
<p>The console is not built. Run <code>npm run build</code> and start again. The API works without it.</p>`

/** A map of its own for a site without internet: one file of vector tiles that the operator puts into the data folder. */
const tiles = { file: 'map.pmtiles', path: '/map/tiles.pmtiles' } as const

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** Shows the console to whoever asks for a page that is nothing else. */
export type ShowPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined

/**
 * The console: files whose names change with their content, kept by browsers for ever, and one page for every address
 * that is not a file, since the console reads the address itself.
 */
export function mountPages(app: FastifyInstance, { config }: Service, folder: string | undefined): ShowPage {
  const { style, hosts } = config.map
  const security = policy(hosts.join(' '))
  const setHeaders = (reply: { header(name: string, value: string): unknown }, path: string) => {
    reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    // A worker is held to the policy of its own file.
    reply.header('content-security-policy', security)
    reply.header('x-content-type-options', 'nosniff')
  }
  void app.register(files, { root: folder ?? import.meta.dirname, serve: false, cacheControl: false, setHeaders })
  if (folder) {
    app.get('/assets/:file', (request, reply) => reply.sendFile(`assets/${(request.params as { file: string }).file}`))
    app.get('/brand.svg', (_, reply) => reply.sendFile('brand.svg'))
  }
  // Looked for each time, so that a map put into the folder shows without a restart.
  app.get('/console.json', async () => ({
    mapStyle: style,
    ...((await isFile(join(config.dataFolder, tiles.file))) && { tiles: tiles.path }),
  }))
  // Browsers read a few kilobytes here and there of a file of gigabytes.
  app.get(tiles.path, (_, reply) => reply.sendFile(tiles.file, config.dataFolder))
  return (request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
    if (!wantsPage || request.url.startsWith('/api/')) return undefined
    return showPage(reply, folder, security)
  }
}

async function showPage(reply: FastifyReply, folder: string | undefined, security: string) {
  const page = folder ? await readFile(join(folder, 'index.html'), 'utf8') : notBuilt
  return reply
    .code(folder ? 200 : 503)
    .header('content-security-policy', security)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(page)
}
