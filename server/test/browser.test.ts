import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBrowser, noticeFor } from '../../web/test/find-browser.ts'

const debianOnArm = { platform: 'linux', arch: 'arm64', given: undefined, isInstalled: () => false }
const files = ['core/geo.test.ts', 'web/test/day.test.ts', 'web/test/map.test.ts']

test('without a browser, the tests say what they skip and how to get one', () => {
  const browser = findBrowser(debianOnArm)
  const notice = noticeFor(files, browser)
  assert.match(
    String(notice),
    /^Left out: the tests in a browser \(2 files in web\/test\)\. npm has no browser for linux-arm64\./,
  )
  assert.match(String(notice), /"apt-get install chromium".*CHROMIUM_PATH/)
  assert.equal(noticeFor(['core/geo.test.ts'], browser), undefined, 'nothing is left out of a run that needs none')
})

test('with a browser, nothing is skipped', () => {
  const installed = { ...debianOnArm, isInstalled: (path: string) => path === '/usr/bin/chromium' }
  const cases = [
    [{ ...debianOnArm, arch: 'x64' }, { packed: true }],
    [installed, { path: '/usr/bin/chromium' }],
    [{ ...debianOnArm, given: '/opt/chrome' }, { path: '/opt/chrome' }],
  ] as const
  for (const [machine, found] of cases) {
    assert.deepEqual(findBrowser(machine), found)
    assert.equal(noticeFor(files, findBrowser(machine)), undefined)
  }
})
