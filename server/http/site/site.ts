import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { openApiDocument } from '../../../contract/openapi.ts'
import { version } from '../../config.ts'
import type { Service } from '../../context.ts'
import { DiskFull } from '../../db/faults.ts'
import { sql } from '../../db/sql.ts'
import { refusalFrom } from '../errors.ts'
import { pageHeaders } from '../pages/apps.ts'
import { type Document, makeDocument, sendDocument } from '../pages/kept-document.ts'
import { mountMetrics } from './metrics.ts'

/** What only the list of everything mounted can tell the probes. */
export interface Condition {
  isDraining(): boolean
  /** Whether the first organisation exists. Its key is committed together with it. */
  hasOrganisation(): Promise<boolean>
}

/** What is served besides the API: health and documentation. */
export function mountSite(app: FastifyInstance, service: Service, condition: Condition) {
  mountProbes(app, service, condition)
  mountMetrics(app, service)
  // Without a public address, paths are relative to the server the document came from.
  const describe = () => JSON.stringify(openApiDocument(version, service.config.publicUrl ?? '/'))
  mountDocument(app, '/openapi.json', async () => makeDocument({ type: 'application/json', bytes: describe() }))
  mountReference(app)
  mountSecurityText(app, service.config)
}

/** Whom to tell about a hole (RFC 9116). It must say until when it is true; each answer is good for a month. */
function mountSecurityText(app: FastifyInstance, { securityContact, publicUrl }: Service['config']) {
  if (!securityContact) return
  const path = '/.well-known/security.txt'
  app.get(path, (_, reply) => {
    const expires = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, 'Preferred-Languages: en, ro']
    if (publicUrl) lines.push(`Canonical: ${publicUrl}${path}`)
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}

const firstStart = 'There is no organisation yet; the first start of a server that answers requests makes it'

function mountProbes(app: FastifyInstance, { database }: Service, condition: Condition) {
  app.get('/health', () => ({ success: true, version }))
  app.get('/ready', async (_, reply) => {
    const refusal = await findObstacle()
    if (!refusal) return { success: true }
    reply.code(503).header('retry-after', refusal.retryAfterSeconds ?? 2)
    return { success: false, code: refusal.code, reason: refusal.message }
  })

  /**
   * Why we are not ready. A write that changes nothing shows whether the database accepts writes. At a first start we
   * listen a moment before the organisation is made, by us or by another process: until then no key works.
   */
  async function findObstacle(): Promise<Refusal | undefined> {
    if (condition.isDraining()) return new Refusal('OVERLOADED', { message: 'The service is stopping' })
    if (database.isFull()) return refusalFrom(new DiskFull())
    try {
      await database.everyone.run(sql`update migrations set name = name where false`)
      return (await condition.hasOrganisation()) ? undefined : new Refusal('OVERLOADED', { message: firstStart })
    } catch (error) {
      return refusalFrom(error)
    }
  }
}

const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Waybill API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
`

/** Swagger UI would keep the key forever; this tab keeps it until it is closed. */
const start = `const kept = 'waybill-docs-key'
localStorage.removeItem('authorized')
const keepForThisTab = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (given) => {
          sessionStorage.setItem(kept, JSON.stringify(given))
          return authorize(given)
        },
        logout: (logout) => (names) => {
          sessionStorage.removeItem(kept)
          return logout(names)
        },
      },
    },
  },
})
const reference = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  plugins: [keepForThisTab],
  onComplete() {
    const given = sessionStorage.getItem(kept)
    if (given) reference.authActions.authorize(JSON.parse(given))
  },
})
`

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"

/** Swagger UI from its package: nothing is loaded from elsewhere, and the policy enforces that. */
function mountReference(app: FastifyInstance) {
  const fromPackage = (name: string) => readFile(join(swagger, name))
  const files: Record<string, [type: string, content: () => Promise<Buffer | string>]> = {
    '/docs': ['text/html', async () => page],
    '/docs/start.js': ['text/javascript', async () => start],
    '/docs/swagger-ui.css': ['text/css', () => fromPackage('swagger-ui.css')],
    '/docs/swagger-ui-bundle.js': ['text/javascript', () => fromPackage('swagger-ui-bundle.js')],
  }
  const headers = pageHeaders(policy)
  for (const [path, [type, content]] of Object.entries(files))
    mountDocument(app, path, async () => makeDocument({ type, bytes: await content(), headers }))
}

/** Built on the first request. */
function mountDocument(app: FastifyInstance, path: string, make: () => Promise<Document>) {
  let document: Promise<Document> | undefined
  app.get(path, async (request, reply) => {
    document ??= make()
    return sendDocument(request, reply, await document)
  })
}
