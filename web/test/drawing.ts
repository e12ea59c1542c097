import type { TestContext } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'

/*
 * A click waits for two frames of its page. In one of some fifty runs a page whose scripts went on got none for 90 s
 * (Chromium 153, headless), which could not be repeated with 1,300 pages on a busy machine. So a page without frames is
 * photographed, which makes the browser draw it, and the test says so: what it found is for whoever meets it next.
 */

const lookEveryMs = 10_000

/** Answers how to stop looking. */
export function keepDrawing(t: TestContext, context: BrowserContext): () => void {
  const looking = new Set<Page>()
  const look = async (page: Page) => {
    if (looking.has(page)) return
    looking.add(page)
    try {
      if (await page.evaluate(getsNoFrame)) {
        t.diagnostic(`the browser did not draw ${page.url()} (${await page.evaluate(() => document.visibilityState)})`)
        await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } })
        t.diagnostic(`after a picture it ${(await page.evaluate(getsNoFrame)) ? 'still does not' : 'does'}`)
      }
    } catch {
      // The page was closed or went elsewhere.
    } finally {
      looking.delete(page)
    }
  }
  const timer = setInterval(() => {
    for (const page of context.pages()) if (page.url() !== 'about:blank') void look(page)
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Runs in the page. Counted in short waits: a page that was busy for long is not one that gets no frames. */
export async function getsNoFrame(): Promise<boolean> {
  // A test that stops the clock stops frames, too.
  if (!/native code/.test(`${requestAnimationFrame}`)) return false
  let isDrawn = false
  requestAnimationFrame(() => {
    isDrawn = true
  })
  for (let waits = 0; waits < 20 && !isDrawn; waits += 1) await new Promise((resolve) => setTimeout(resolve, 250))
  return !isDrawn
}
