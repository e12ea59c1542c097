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

type Theme = 'light' | 'dark'

/** The rules whose results differ between the themes. */
const colours = ['color-contrast', 'link-in-text-block']

/** Checks the page with every rule of axe-core in the theme it has, then the colours in the other, which stays. */
export async function assertAccessible(page: Page, what: string) {
  const isDark = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const themes: Theme[] = isDark ? ['dark', 'light'] : ['light', 'dark']
  assert.deepEqual(await findViolations(page), [], `${what}, ${themes[0]}`)
  await assertColours(themes[1] as Theme, page, what)
}

/** Checks it with every rule in one theme: for a page that is checked in several forms, some of them light, some dark. */
export async function assertAccessibleIn(theme: Theme, page: Page, what: string) {
  await turn(page, theme)
  assert.deepEqual(await findViolations(page), [], `${what}, ${theme}`)
}

/** Checks only its colours in one theme. */
export async function assertColours(theme: Theme, page: Page, what: string) {
  await turn(page, theme)
  assert.deepEqual(await findViolations(page, colours), [], `the colours of ${what}, ${theme}`)
}

/** A colour that is still changing would be measured half-way. */
async function turn(page: Page, theme: Theme) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  if (await page.locator('html[data-theme]').count()) await page.locator(`html[data-theme=${theme}]`).waitFor()
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
