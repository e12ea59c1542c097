import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { type Operation, operations } from '../contract/operations.ts'
import { apps } from '../contract/pages.ts'

/** Method and path of every operation. The schemas, and the library that reads them, stay on the server. */
const endpoints: Plugin = {
  name: 'endpoints',
  resolveId: (id) => (id === 'virtual:endpoints' ? `\0${id}` : null),
  load(id) {
    if (id !== '\0virtual:endpoints') return null
    const slim = Object.entries<Operation>(operations).map(([name, { method, path, download }]) => [
      name,
      { method, path, download },
    ])
    return `export default ${JSON.stringify(Object.fromEntries(slim))}`
  },
}

const pageOf = (app: string) => `${app}/index.html`

/** The dev server answers the addresses of an app with its page, as the real server does. */
const pages: Plugin = {
  name: 'pages',
  configureServer({ middlewares }) {
    middlewares.use((request, _, next) => {
      const [pathname = ''] = (request.url ?? '').split('?')
      const isPath = (path: string) => new URLPattern({ pathname: path }).test({ pathname })
      const [app] = Object.entries(apps).find(([, paths]) => paths.some(isPath)) ?? []
      if (app) request.url = `/${pageOf(app)}`
      next()
    })
  },
}

const entries = Object.fromEntries(Object.keys(apps).map((app) => [app, join(import.meta.dirname, pageOf(app))]))

export default defineConfig({
  root: import.meta.dirname,
  appType: 'mpa',
  plugins: [react(), tailwind(), endpoints, pages],
  build: {
    rolldownOptions: { input: entries },
    ...{ outDir: 'dist', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1200 },
  },
  // For work on the pages: `npm run dev` next to a running server.
  // Not all of /api: that is also a folder of the pages.
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api/v1', '/files', '/console.json'].map((path) => [path, 'http://127.0.0.1:4000'])),
  },
})
