import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { type Operation, operations } from '../contract/operations.ts'
import { apps } from '../contract/pages.ts'

const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8'))

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

/** The service worker of the driver's app. Its address never changes, and it must not be below the app's own. */
const worker = 'driver-worker'

/** Tells the service worker which files the app consists of: all it can ever load, with a name for this version. */
const precache: Plugin = {
  name: 'precache',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = new Set<string>()
      const add = (name: string) => {
        const part = bundle[name]
        if (!part || files.has(name)) return
        files.add(name)
        if (part.type !== 'chunk') return
        for (const one of [...part.imports, ...part.dynamicImports]) add(one)
        for (const one of part.viteMetadata?.importedCss ?? []) files.add(one)
        for (const one of part.viteMetadata?.importedAssets ?? []) files.add(one)
      }
      const parts = Object.values(bundle)
      const isEntry = (name: string) => (part: (typeof parts)[number]) =>
        part.type === 'chunk' && part.isEntry && part.name === name
      add(parts.find(isEntry('driver'))?.fileName ?? this.error('There is no driver app'))
      // Alphabets that are not ours are fetched when somebody's name needs them, the decoder of the scanner by phones
      // that have none.
      const shipped = [...files].filter((name) => !/-wght-normal-|\.wasm$/.test(name))
      const page = bundle[pageOf('driver')]
      const target = parts.find(isEntry(worker))
      if (target?.type !== 'chunk' || page?.type !== 'asset') return this.error('There is no service worker')
      const names = [...shipped.map((name) => `/${name}`), ...publicFiles].sort()
      const made = createHash('sha256').update(page.source).update(names.join()).digest('base64url').slice(0, 12)
      const given = JSON.stringify({ version: made, page: apps.driver[0], files: names })
      target.code = target.code.replace('__FILES__', () => given)
    },
  },
}
const publicFiles = ['/brand.svg', '/driver.webmanifest', '/driver-192.png']

const entries = Object.fromEntries(Object.keys(apps).map((app) => [app, join(import.meta.dirname, pageOf(app))]))

export default defineConfig({
  root: import.meta.dirname,
  appType: 'mpa',
  plugins: [react(), tailwind(), endpoints, pages, precache],
  define: { __WAYBILL_VERSION__: JSON.stringify(version) },
  build: {
    rolldownOptions: {
      input: { ...entries, [worker]: join(import.meta.dirname, 'driver/worker/worker.ts') },
      output: { entryFileNames: ({ name }) => (name === worker ? `${worker}.js` : 'assets/[name]-[hash].js') },
    },
    ...{ outDir: 'dist', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 1200 },
  },
  // For work on the pages: `npm run dev` next to a running server.
  // Not all of /api: that is also a folder of the pages.
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api/v1', '/files', '/console.json'].map((path) => [path, 'http://127.0.0.1:4000'])),
  },
})
