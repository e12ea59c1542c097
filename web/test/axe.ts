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
export const assertAccessible = (page: Page, what: string) => checkBoth(page, what)

/** Checks only the open dialog, over a page that is checked elsewhere. */
export const assertDialogAccessible = (page: Page, what: string) => checkBoth(page, what, '[role=dialog]')

async function checkBoth(page: Page, what: string, part?: string) {
  const isDark = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const themes: Theme[] = isDark ? ['dark', 'light'] : ['light', 'dark']
  assert.deepEqual(await findViolations(page, { part }), [], `${what}, ${themes[0]}`)
  await assertColours(themes[1] as Theme, page, what, part)
}

/** Checks it with every rule in one theme: for a page that is checked in several forms, some of them light, some dark. */
export async function assertAccessibleIn(theme: Theme, page: Page, what: string) {
  await turn(page, theme)
  assert.deepEqual(await findViolations(page), [], `${what}, ${theme}`)
}

/** Checks only its colours in one theme. */
export async function assertColours(theme: Theme, page: Page, what: string, part?: string) {
  await turn(page, theme)
  assert.deepEqual(await findViolations(page, { rules: colours, part }), [], `the colours of ${what}, ${theme}`)
}

/** A colour that is still changing would be measured half-way. */
async function turn(page: Page, theme: Theme) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  if (await page.locator('html[data-theme]').count()) await page.locator(`html[data-theme=${theme}]`).waitFor()
}

interface Scope {
  rules?: string[]
  part?: string | undefined
}

async function findViolations(page: Page, scope: Scope = {}): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source)
  const violations = await page.evaluate(async ({ rules, part }) => {
    type Run = (context: object, options: object) => Promise<{ violations: Violation[] }>
    const { axe } = window as unknown as { axe: { run: Run } }
    // Every rule runs: this skips the details of passed ones, and loading style sheets, which none of them reads.
    const faster = { resultTypes: ['violations'], preload: { assets: ['media'] } }
    const context = part ? { include: part } : document
    return (await axe.run(context, { ...faster, ...(rules && { runOnly: rules }) })).violations
  }, scope)
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  )
}
