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
  /** What CHROMIUM_PATH names. */
  given: string | undefined
  isInstalled: (path: string) => boolean
}

/** The one that comes with our packages, one on this machine, or none and how to get one. */
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

/** Tests that need a browser are left out where there is none. In CI that is a failure instead. */
export const leavesOutBrowserTests = 'missing' in foundBrowser && !process.env['CI']

/** What a run of these test files says before it begins and when it is done, if it leaves some out. */
export function noticeFor(files: string[], browser: FoundBrowser): string | undefined {
  const needing = files.filter((file) => /^web\/test\/.*\.test\.ts$/.test(file))
  if (!('missing' in browser) || needing.length === 0) return undefined
  return `Left out: the tests in a browser (${needing.length} files in web/test). ${browser.missing}`
}
