import { existsSync } from 'node:fs'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

interface Machine {
  platform: string
  arch: string
  /** The value of CHROMIUM_PATH. */
  given: string | undefined
  isInstalled: (path: string) => boolean
}

/** The browser from our packages, one on this machine, or none, with how to get one. */
export type FoundBrowser = { packed: true } | { path: string } | { missing: string }

export function findBrowser({ platform, arch, given, isInstalled }: Machine): FoundBrowser {
  if (given) return { path: given }
  if (platform === 'linux' && arch === 'x64') return { packed: true }
  const path = installed.find(isInstalled)
  if (path) return { path }
  return {
    missing:
      `npm has no browser for ${platform}-${arch}. Install Chromium ("apt-get install chromium" on Debian), ` +
      'or set CHROMIUM_PATH to a Chromium or Chrome.',
  }
}

export const foundBrowser = findBrowser({
  platform: process.platform,
  arch: process.arch,
  given: process.env['CHROMIUM_PATH'],
  isInstalled: existsSync,
})

/** Without a browser the tests that need one are skipped; in CI they fail instead. */
export const leavesOutBrowserTests = 'missing' in foundBrowser && !process.env['CI']

/** The notice before and after a run that skips tests. */
export function noticeFor(files: string[], browser: FoundBrowser): string | undefined {
  const needing = files.filter((file) => /^web\/test\/.*\.test\.ts$/.test(file))
  if (!('missing' in browser) || needing.length === 0) return undefined
  return `Left out: the tests in a browser (${needing.length} files in web/test). ${browser.missing}`
}
