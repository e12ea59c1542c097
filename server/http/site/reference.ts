import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../../contract/openapi.ts'
import { type Config, version } from '../../config.ts'
import { pageHeaders } from '../pages/headers.ts'
import { type Document, makeDocument, sendDocument } from '../pages/kept-document.ts'

/* The API explained: as a document for programs, and as a page on which people can try it. */

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
export function mountReference(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>) {
  // Without a public address, paths are relative to the server the document came from.
  const describe = () => JSON.stringify(openApiDocument(version, publicUrl ?? '/'))
  mountDocument(app, '/openapi.json', async () => makeDocument({ type: 'application/json', bytes: describe() }))
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
