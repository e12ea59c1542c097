import type { Page } from 'playwright-core'

/** The smallest phone, and phones of people who need large text: how wide and high, and the size of text. */
export const fitSizes = [
  { width: 320, height: 568, percent: 100 },
  { width: 390, height: 844, percent: 150 },
  { width: 320, height: 568, percent: 200 },
]

/** What does not fit on the screen that is shown, in every size: cut off, covered, out of reach, or not grown. */
export async function misfitsOf(page: Page, screen: string): Promise<string[]> {
  const all: string[] = []
  const before = page.viewportSize()
  for (const { width, height, percent } of fitSizes) {
    await page.setViewportSize({ width, height })
    await page.evaluate((percent) => {
      document.documentElement.style.fontSize = `${percent}%`
    }, percent)
    for (const misfit of await page.evaluate(findMisfits))
      all.push(`${screen}, ${width} wide, text at ${percent} %: ${misfit}`)
  }
  await page.evaluate(() => document.documentElement.removeAttribute('style'))
  if (before) await page.setViewportSize(before)
  return all
}

/** Runs in the page. */
function findMisfits(): string[] {
  const misfits: string[] = []
  const root = document.querySelector('dialog[open]') ?? document.body
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const isHidden = (one: Element) => one.closest('.sr-only, [aria-hidden=true], .maplibregl-map') !== null
  const name = (one: Element) => {
    const words = (one.textContent || one.getAttribute('aria-label') || one.closest('label')?.textContent) ?? ''
    return `${one.tagName.toLowerCase()} “${words.trim().slice(0, 40)}”`
  }
  const leaves = (inner: DOMRect, outer: { left: number; right: number; top: number; bottom: number }) =>
    inner.left < outer.left - 1 ||
    inner.right > outer.right + 1 ||
    inner.top < outer.top - 1 ||
    inner.bottom > outer.bottom + 1
  /** The height of the lowest of what it scrolls in. */
  const roomAround = (one: Element | null): number => {
    if (!one) return innerHeight
    const scrolls = /auto|scroll/.test(getComputedStyle(one).overflowY)
    return Math.min(scrolls ? one.clientHeight : innerHeight, roomAround(one.parentElement))
  }
  /** What scrolls inside of it may be above or below it. */
  const boxOf = (one: Element) => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    return one.querySelector('.overflow-y-auto')
      ? { left, right, top: -Number.MAX_VALUE, bottom: Number.MAX_VALUE }
      : { left, right, top, bottom }
  }
  const window = { left: 0, right: innerWidth, top: 0, bottom: innerHeight }

  for (const one of root.querySelectorAll('*')) {
    const box = one.getBoundingClientRect()
    if (box.width === 0 || isHidden(one) || one.closest('svg') !== (one.tagName === 'svg' ? one : null)) continue
    if (box.left < -1 || box.right > innerWidth + 1) misfits.push(`${name(one)} leaves the screen at its side`)
    const { overflowX } = getComputedStyle(one)
    if (overflowX !== 'visible' && one.tagName !== 'INPUT' && one.scrollWidth > one.clientWidth + 1)
      misfits.push(`${name(one)} is cut off`)
  }

  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    const parent = text.parentElement
    if (!parent || isHidden(parent) || !text.textContent?.trim()) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const around = parent.closest('a, button, label, dt, dd, li, section, header, footer')
    if (around && root.contains(around) && [...range.getClientRects()].some((box) => leaves(box, boxOf(around))))
      misfits.push(`“${text.textContent.slice(0, 40)}” leaves its box`)
    if (Number.parseFloat(getComputedStyle(parent).fontSize) < 0.75 * rem - 0.1)
      misfits.push(`“${text.textContent.slice(0, 40)}” has not grown with the text`)
  }

  // What stays at the lower edge, with the main button, must be there without scrolling.
  for (const one of root.querySelectorAll('footer, nav, dialog'))
    if (leaves(one.getBoundingClientRect(), window)) misfits.push(`${name(one)} is not in the window`)
  const main = root.querySelector('main')
  if (main && main.clientHeight < innerHeight / 5)
    misfits.push(`only ${main.clientHeight} px are left between head and foot`)

  for (const one of root.querySelectorAll(
    'a, button, select, textarea, input:not(.sr-only), label:has(input.sr-only)',
  )) {
    one.scrollIntoView({ block: 'center' })
    const box = one.getBoundingClientRect()
    if (isHidden(one) || box.width === 0) continue
    if (box.height < roomAround(one) && leaves(box, window)) misfits.push(`${name(one)} cannot be reached`)
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    if (!hit || !(one.contains(hit) || one.closest('label')?.contains(hit)))
      misfits.push(`${name(one)} is covered by ${hit ? name(hit) : 'nothing'}`)
  }
  root.querySelector('main')?.scrollTo(0, 0)
  return [...new Set(misfits)]
}
