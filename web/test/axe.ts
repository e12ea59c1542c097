import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary: string }[]
}

/** Checks the page with every rule of axe-core, in both themes. */
export async function assertAccessible(page: Page, what: string) {
  assert.deepEqual(await findViolations(page), [], what)
  // Only colours differ in the other theme. A colour that is still changing would be measured half-way.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  if (await page.locator('html[data-theme]').count()) await page.locator('html[data-theme=dark]').waitFor()
  assert.deepEqual(await findViolations(page, ['color-contrast', 'link-in-text-block']), [], `${what}, dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Checks it with every rule in one theme: for a page that is checked in several forms, some of them light, some dark. */
export async function assertAccessibleIn(theme: 'light' | 'dark', page: Page, what: string) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.locator(`html[data-theme=${theme}]`).waitFor()
  assert.deepEqual(await findViolations(page), [], `${what}, ${theme}`)
}

async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source)
  const violations = await page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } }
    // Every rule runs: this skips the details of passed ones, and loading style sheets, which none of them reads.
    const faster = { resultTypes: ['violations'], preload: { assets: ['media'] } }
    return (await axe.run({ ...faster, ...(rules && { runOnly: rules }) })).violations
  }, rules)
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  )
}
