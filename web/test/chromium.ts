import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

interface Binary {
  path: string
  /** For the browser only: its libraries would not suit our own process. */
  env: Record<string, string>
}

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser CHROMIUM_PATH names; the one that comes with our packages, which is for x64 only; or an installed one. */
async function findBinary(): Promise<Binary> {
  const given = process.env['CHROMIUM_PATH']
  if (given) return { path: given, env: {} }
  if (process.platform === 'linux' && process.arch === 'x64') return unpacked()
  const path = installed.find((one) => existsSync(one))
  if (!path) throw new Error(`There is no browser for the tests. ${advice}`)
  return { path, env: {} }
}

const advice = `npm has none for ${process.platform}-${process.arch}: install Chromium, or set CHROMIUM_PATH to one`

/** Why tests that need a browser cannot run on this machine. In CI that is a failure, not a reason to leave them out. */
export const withoutBrowser =
  !process.env['CI'] &&
  !process.env['CHROMIUM_PATH'] &&
  !(process.platform === 'linux' && process.arch === 'x64') &&
  !installed.some((one) => existsSync(one)) &&
  advice

/**
 * The package holds a packed browser and unpacks it into the folder for temporary files, where parallel first use and
 * leftovers of others get in its way. So it gets a folder of its own, which appears under its name only when complete.
 */
async function unpacked(): Promise<Binary> {
  const manifest = createRequire(import.meta.url)
    .resolve('@sparticuz/chromium')
    .replace(/build.*/, 'package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  const folder = join(tmpdir(), `waybill-browser-${version}-${userInfo().uid}`)
  if (!existsSync(folder)) {
    const aside = `${folder}.${process.pid}`
    await mkdir(aside, { mode: 0o700 })
    const unpack = `await (await import('@sparticuz/chromium')).default.executablePath()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], {
      cwd: join(import.meta.dirname, '../..'),
      // The name of a runtime for which the package also unpacks the libraries a plain machine lacks.
      env: { ...process.env, TMPDIR: aside, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    })
    await writeFile(join(aside, 'fonts.conf'), fontsIn(folder))
    // Whoever comes second finds it there and throws its own away.
    await rename(aside, folder).catch(() => rm(aside, { recursive: true, force: true }))
  }
  const env = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  return { path: join(folder, 'chromium'), env }
}

/** The package's own list names folders of a cloud function; a browser that finds no font at all ends at the first letter. */
const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`

/** A browser that draws WebGL in software, so that maps can be looked at on any machine. */
export async function launchBrowser(): Promise<Browser> {
  const { path, env } = await findBinary()
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: [
      '--no-sandbox',
      '--no-zygote',
      '--ignore-gpu-blocklist',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
    ],
  })
}
