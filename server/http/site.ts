import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../contract/openapi.ts'
import { version } from '../config.ts'
import type { Service } from '../context.ts'
import { sql } from '../db/sql.ts'

/** What is served beside the API: how the process is, and how to use it. */
export function mountSite(app: FastifyInstance, service: Service, isDraining: () => boolean) {
  mountProbes(app, service, isDraining)
  app.get('/openapi.json', (request) =>
    openApiDocument(version, service.config.publicUrl ?? `${request.protocol}://${request.host}`),
  )
  mountReference(app)
}

function mountProbes(app: FastifyInstance, { database, metrics }: Service, isDraining: () => boolean) {
  app.get('/health', () => ({ success: true, version }))
  app.get('/ready', async (_, reply) => {
    const answers = await database.everyone.run(sql`select 1`).then(
      () => true,
      () => false,
    )
    if (answers && !isDraining()) return { success: true }
    reply.code(503).header('retry-after', 2)
    return { success: false, reason: isDraining() ? 'The service is stopping' : 'The database does not answer' }
  })
  app.get('/metrics', async (_, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
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

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, persistAuthorization: true, defaultModelsExpandDepth: 0 })\n`

type Files = Record<string, [type: string, content: () => Promise<Buffer | string>]>

/** Swagger UI from its package: nothing is fetched from elsewhere, and the browser is told so. */
function mountReference(app: FastifyInstance) {
  const files: Files = {
    '/docs': ['text/html', async () => page],
    '/docs/start.js': ['text/javascript', async () => start],
    '/docs/swagger-ui.css': ['text/css', () => readFile(join(swagger, 'swagger-ui.css'))],
    '/docs/swagger-ui-bundle.js': ['text/javascript', () => readFile(join(swagger, 'swagger-ui-bundle.js'))],
  }
  mountFiles(app, files, "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:")
}

function mountFiles(app: FastifyInstance, files: Files, policy: string) {
  for (const [path, [type, content]] of Object.entries(files))
    app.get(path, async (_, reply) => {
      reply.header('content-security-policy', policy)
      reply.type(`${type}; charset=utf-8`)
      return content()
    })
}
