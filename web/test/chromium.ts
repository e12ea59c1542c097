import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { foundBrowser } from './find-browser.ts'

interface Binary {
  path: string
  /** For the browser only: these libraries are not for our own process. */
  env: Record<string, string>
}

async function findBinary(): Promise<Binary> {
  if ('packed' in foundBrowser) return unpacked()
  if ('missing' in foundBrowser) throw new Error(foundBrowser.missing)
  return { path: foundBrowser.path, env: {} }
}

/**
 * The package unpacks its browser into the folder for temporary files, where two first uses at once, or leftovers of
 * other programs, cause failures. So it gets its own folder, which gets its final name only when complete.
 */
async function unpacked(): Promise<Binary> {
  const manifest = createRequire(import.meta.url)
    .resolve('@sparticuz/chromium')
    .replace(/build.*/, 'package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  const place = process.env['WAYBILL_TEST_LASTING'] ?? tmpdir()
  const folder = join(place, `waybill-browser-${version}-${userInfo().uid}`)
  if (!existsSync(folder)) {
    const aside = `${folder}.${process.pid}`
    await mkdir(aside, { mode: 0o700 })
    const unpack = `await (await import('@sparticuz/chromium')).default.executablePath()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], {
      cwd: join(import.meta.dirname, '../..'),
      // With this variable the package also unpacks libraries that a minimal machine lacks.
      env: { ...process.env, TMPDIR: aside, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    })
    await writeFile(join(aside, 'fonts.conf'), fontsIn(folder))
    // If another process was faster, its folder is used and ours is deleted.
    await rename(aside, folder).catch(() => rm(aside, { recursive: true, force: true }))
  }
  const env = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  return { path: join(folder, 'chromium'), env }
}

/** The package's own list names folders of a cloud function; a browser without any font crashes at the first text. */
const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`

/**
 * A browser without a GPU: emulating one in software took two thirds of the time of these tests. Only tests that look
 * at a map use that.
 */
export async function launchBrowser(draws: boolean, more: string[] = []): Promise<Browser> {
  const { path, env } = await findBinary()
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: [
      '--no-sandbox',
      '--no-zygote',
      '--disable-gpu',
      // Pages are put together in the browser's own process: sending them to another takes a seventh of the time.
      '--in-process-gpu',
      // The pages of a context share a process: starting one takes as long as loading a page.
      '--renderer-process-limit=1',
      draws ? '--enable-unsafe-swiftshader' : '--disable-3d-apis',
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
      ...more,
    ],
  })
}
