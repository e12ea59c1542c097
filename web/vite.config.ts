import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { type Operation, operations } from '../contract/operations.ts'
import { apps, tilesPath, worldPath } from '../contract/pages.ts'
import { missingTexts } from '../core/words/missing.ts'

const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8'))

/** Method and path of the operations that the pages call by name. The schemas stay on the server. */
const endpoints: Plugin = {
  name: 'endpoints',
  resolveId: (id) => (id === 'virtual:endpoints' ? `\0${id}` : null),
  async load(id) {
    if (id !== '\0virtual:endpoints') return null
    const sources = await readSources()
    const called = Object.entries<Operation>(operations).filter(([name]) => new RegExp(`\\b${name}\\b`).test(sources))
    const slim = called.map(([name, { method, path, download }]) => [name, { method, path, download }])
    return `export default ${JSON.stringify(Object.fromEntries(slim))}`
  },
}

async function readSources(): Promise<string> {
  const options = { cwd: join(import.meta.dirname, '..'), exclude: ['web/dist', 'web/dist.*', '*/test'] }
  const files = await Array.fromAsync(glob('{web,phone}/**/*.{ts,tsx}', options))
  return (await Promise.all(files.map((file) => readFile(join(options.cwd, file), 'utf8')))).join()
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

/**
 * What a page says if its scripts do not come. They cannot say so, and a page may run no other, so it is style alone that
 * shows it after a while. The first thing that the app draws takes its place.
 */
const late: Plugin = {
  name: 'late',
  transformIndexHtml: (page) => page.replace('<div id="root"></div>', () => `<div id="root">${lateNotice}</div>`),
}
const lateTexts = Object.entries(missingTexts).map(
  ([language, { late, retry }]) => `<section lang="${language}">
<h1>${late.title}</h1>
<p>${late.lead}</p>
<p><a href="">${retry}</a></p>
</section>`,
)
const lateNotice = `<style>
@keyframes late { to { visibility: visible } }
#late { visibility: hidden; animation: late 1ms 5s forwards; max-width: 28rem; margin: 15vh auto; padding: 0 1.5rem;
  font: 1rem/1.5 system-ui, sans-serif; text-align: center }
#late section { margin-bottom: 2rem }
#late h1 { margin: 0; font: inherit; font-weight: 600 }
#late p { margin: .25rem 0 }
#late a { display: inline-block; padding: .5rem; color: inherit; text-decoration: underline }
</style>
<main id="late">${lateTexts.join('')}</main>`

/** The service worker of the driver's app. Its address never changes, and it must not be below the app's own. */
const worker = 'driver-worker'

/** Loaded when it is opened, and kept on the phone after the app itself. */
const isLater = ({ facadeModuleId }: Rolldown.OutputChunk) =>
  /\/driver\/map\/(drawn-map\.tsx|fetch-area\.ts)$/.test(facadeModuleId ?? '')

/** The texts of an app in a language, by the folder and the file they are in. */
const textsIn = ({ facadeModuleId }: { facadeModuleId?: string | null }) =>
  /\/core\/words\/(?<language>\w+)\/(?<app>[\w-]+)\.ts$/.exec(facadeModuleId ?? '')?.groups
const isOfOtherApp = (part: Rolldown.OutputChunk) => !['driver', undefined].includes(textsIn(part)?.['app'])
const nameOfChunk = (part: Rolldown.PreRenderedChunk) => {
  const { language, app } = textsIn(part) ?? {}
  return language ? `assets/words-${language}-${app}-[hash].js` : 'assets/[name]-[hash].js'
}

/** Tells the service worker which files the app consists of: all it can ever load, with a name for this version. */
const precache: Plugin = {
  name: 'precache',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const later: Rolldown.OutputChunk[] = []
      const gather = (files: Set<string>, name: string) => {
        const part = bundle[name]
        if (!part || files.has(name) || (part.type === 'chunk' && isOfOtherApp(part))) return
        if (part.type === 'chunk' && isLater(part) && !later.includes(part)) {
          later.push(part)
          return
        }
        files.add(name)
        if (part.type !== 'chunk') return
        for (const one of [...part.imports, ...part.dynamicImports]) gather(files, one)
        for (const one of part.viteMetadata?.importedCss ?? []) files.add(one)
        for (const one of part.viteMetadata?.importedAssets ?? []) files.add(one)
      }
      const parts = Object.values(bundle)
      const isEntry = (name: string) => (part: (typeof parts)[number]) =>
        part.type === 'chunk' && part.isEntry && part.name === name
      const files = new Set<string>()
      gather(files, parts.find(isEntry('driver'))?.fileName ?? this.error('There is no driver app'))
      const rest = new Set<string>()
      for (const part of later) gather(rest, part.fileName)
      // Alphabets that are not ours are fetched when somebody's name needs them, the decoder of the scanner by phones
      // that have none.
      const isShipped = (name: string) => !/-wght-normal-|\.wasm$/.test(name)
      const page = bundle[pageOf('driver')]
      const target = parts.find(isEntry(worker))
      if (target?.type !== 'chunk' || page?.type !== 'asset') return this.error('There is no service worker')
      // Browsers start it as a script of its own.
      if (target.imports.length > 0) this.error(`The service worker shares ${target.imports} with the app`)
      const paths = (names: Set<string>) => [...names].filter(isShipped).map((name) => `/${name}`)
      const needed = [...paths(files), ...publicFiles].sort()
      const more = paths(rest.difference(files)).sort()
      const hash = createHash('sha256')
        .update(page.source)
        .update([...needed, ...more].join())
      const version = hash.digest('base64url').slice(0, 12)
      const given = JSON.stringify({
        version,
        page: apps.driver[0],
        files: needed,
        rest: more,
        tiles: [tilesPath, worldPath],
      })
      target.code = target.code.replace('__FILES__', () => given)
    },
  },
}
const publicFiles = ['/brand.svg', '/driver.webmanifest', '/driver-192.png']

const entries = Object.fromEntries(Object.keys(apps).map((app) => [app, join(import.meta.dirname, pageOf(app))]))

export default defineConfig({
  root: import.meta.dirname,
  appType: 'mpa',
  plugins: [react(), tailwind(), endpoints, pages, late, precache],
  define: {
    __WAYBILL_VERSION__: JSON.stringify(version),
    __MAP_CACHE__: JSON.stringify('waybill-map'),
    __NOTICE__: JSON.stringify('waybill-notice'),
  },
  build: {
    rolldownOptions: {
      input: { ...entries, [worker]: join(import.meta.dirname, 'driver/worker/worker.ts') },
      output: {
        entryFileNames: ({ name }) => (name === worker ? `${worker}.js` : 'assets/[name]-[hash].js'),
        chunkFileNames: nameOfChunk,
      },
    },
    // Licences of what is packed into the pages, which their authors ask us to pass on.
    license: { fileName: 'third-party.txt' },
    // Browsers that do not know it load the same files a little later.
    modulePreload: { polyfill: false },
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
  // For work on the pages: `npm run dev` next to a running server.
  // Not all of /api: that is also a folder of the pages.
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api/v1', '/files', '/map', '/console.json', '/tracking.json'].map((path) => [path, 'http://127.0.0.1:4000']),
    ),
  },
})
