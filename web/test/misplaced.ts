import type { Page } from 'playwright-core'

/** The windows every screen has to fit: a phone, a laptop at 200 % zoom, a tablet, and what desks have. */
export const windowSizes = [
  { width: 390, height: 844 },
  { width: 683, height: 384 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
] as const
export type WindowSize = (typeof windowSizes)[number]
export const sizeName = ({ width, height }: WindowSize) => `${width} × ${height}`

/**
 * What is outside the window, cut off, or under something else, on the page as it is. What may lie over something is
 * recognised by what it is, not by its name:
 *
 * - Of open dialogs, menus and popovers only the topmost is checked; they may lie over everything.
 * - What moves out of the way when scrolled is not covered: heads that stay, bars that float over a list.
 * - A pane that was opened over the page (an `aside` out of the flow) may cover the page.
 * - In a drawing, things stand where their place or time is, over each other if need be: a map, a lane of a timeline.
 * - A text may end in an ellipsis as long as enough of it is shown. What does not fit may be hidden completely.
 */
export const findMisplaced = (page: Page): Promise<string[]> => page.evaluate(lookForMisplaced)

/** Runs in the page. */
function lookForMisplaced(): string[] {
  type Box = { left: number; right: number; top: number; bottom: number }
  const faults = new Set<string>()
  const drawings = '.maplibregl-map, .map-frame, [data-lane], svg'
  const opened = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], dialog[open]')]
  const root = opened.filter((one) => one.checkVisibility()).at(-1) ?? document.body
  const view: Box = { left: 0, right: innerWidth, top: 0, bottom: innerHeight }

  const widthOf = ({ left, right }: Box) => right - left
  const heightOf = ({ top, bottom }: Box) => bottom - top
  const isWithin = (inner: Box, outer: Box) =>
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1
  const meet = (one: Box, other: Box): Box => ({
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top),
    bottom: Math.min(one.bottom, other.bottom),
  })
  const isSeen = (box: Box) => widthOf(box) > 1 && heightOf(box) > 1
  const styles = new Map<Element, CSSStyleDeclaration>()
  const styleOf = (one: Element) => {
    const known = styles.get(one) ?? getComputedStyle(one)
    styles.set(one, known)
    return known
  }
  const wordsOf = (one: Element) =>
    (one.textContent || one.getAttribute('aria-label') || one.getAttribute('placeholder') || one.className.toString())
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 40)
  const nameOf = (one: Element) => `${one.tagName.toLowerCase()} “${wordsOf(one)}”`

  /** What an element is laid out in: not always its parent, for what is taken out of the flow. */
  const outerOf = (one: Element): Element | null => {
    const { position } = styleOf(one)
    if (position === 'fixed') return null
    if (position !== 'absolute') return one.parentElement
    let outer = one.parentElement
    while (outer && styleOf(outer).position === 'static' && styleOf(outer).transform === 'none')
      outer = outer.parentElement
    return outer
  }
  const around = (one: Element): Element[] => {
    const outer = outerOf(one)
    return outer ? [outer, ...around(outer)] : []
  }
  const scrolls = (way: string) => way === 'auto' || way === 'scroll'
  const isPage = (one: Element) => one === document.documentElement || one === document.body

  /** What was scrolled, and from where. */
  const moved = new Map<Element, [left: number, top: number]>()
  /** Brings it to a place in everything a person can scroll, never in what only a script could: 0 is the start, 1 the end. */
  const bringIn = (frames: Element[], boxNow: () => Box, place: number) => {
    for (const outer of [...frames, document.scrollingElement as Element]) {
      const { overflowX, overflowY } = styleOf(outer)
      const isWindow = outer === document.scrollingElement
      if (!isWindow && !scrolls(overflowX) && !scrolls(overflowY)) continue
      if (!moved.has(outer)) moved.set(outer, [outer.scrollLeft, outer.scrollTop])
      const frame = isWindow ? view : outer.getBoundingClientRect()
      const box = boxNow()
      outer.scrollTop += box.top - frame.top - place * (heightOf(frame) - heightOf(box))
      if (!isWindow) outer.scrollLeft += (box.left + box.right) / 2 - (frame.left + frame.right) / 2
    }
  }
  const putBack = () => {
    for (const [one, [left, top]] of moved) one.scrollTo({ left, top, behavior: 'instant' })
    moved.clear()
  }

  /** What is seen of a box of an element, and what cuts it off. */
  const shownOf = (frames: Element[], box: Box) => {
    let shown = meet(box, view)
    let cutBy: Element | undefined
    for (const outer of frames) {
      const { overflowX, overflowY } = styleOf(outer)
      if (isPage(outer) || (overflowX === 'visible' && overflowY === 'visible')) continue
      const frame = outer.getBoundingClientRect()
      const inner = {
        left: frame.left + outer.clientLeft,
        right: frame.left + outer.clientLeft + outer.clientWidth,
        top: frame.top + outer.clientTop,
        bottom: frame.top + outer.clientTop + outer.clientHeight,
      }
      const left = {
        left: overflowX === 'visible' ? shown.left : Math.max(shown.left, inner.left),
        right: overflowX === 'visible' ? shown.right : Math.min(shown.right, inner.right),
        top: overflowY === 'visible' ? shown.top : Math.max(shown.top, inner.top),
        bottom: overflowY === 'visible' ? shown.bottom : Math.min(shown.bottom, inner.bottom),
      }
      if (!isWithin(shown, left)) cutBy ??= outer
      shown = left
    }
    return { shown, cutBy }
  }

  const isPainted = (one: Element) => {
    const { opacity, backgroundColor, backgroundImage } = styleOf(one)
    if (Number(opacity) < 0.1) return false
    const alpha = /[,/] ?([\d.]+)\)$/.exec(backgroundColor.replace(/^rgb\(.*/, ''))
    const isFilled = alpha ? Number(alpha[1]) > 0.3 : true
    return isFilled || backgroundImage !== 'none' || /^(IMG|CANVAS|VIDEO)$/.test(one.tagName)
  }
  /** A pane that was opened over the page. */
  const paneOf = (one: Element) => {
    const pane = one.closest('aside')
    return pane && /absolute|fixed/.test(styleOf(pane).position) ? pane : undefined
  }
  const mayCover = (over: Element, under: Element) => {
    if (!root.contains(over) && root !== document.body) return false
    const pane = paneOf(over)
    if (pane && !pane.contains(under)) return true
    const drawing = over.closest(drawings)
    return drawing?.contains(under) === true
  }
  const belongs = (one: Element, other: Element) => {
    const [label, otherLabel] = [one.closest('label'), other.closest('label')]
    return one.contains(other) || other.contains(one) || (label !== null && label === otherLabel)
  }
  /** What lies over an element at a point: what takes the click, or only what hides it. */
  const coverAt = (one: Element, x: number, y: number, isControl: boolean): Element | undefined => {
    const stack = document.elementsFromPoint(x, y)
    const own = stack.findIndex((other) => other === one || one.contains(other))
    const above = own < 0 ? stack : stack.slice(0, own)
    // Something that does not take clicks cannot be found by a point.
    if (own < 0 && styleOf(one).pointerEvents === 'none') return undefined
    return above.find((other) => !belongs(one, other) && !mayCover(other, one) && (isControl || isPainted(other)))
  }

  // The page, and what is open over it.
  const { scrollWidth, clientWidth } = document.scrollingElement as Element
  if (scrollWidth > clientWidth + 1) faults.add(`the page is ${scrollWidth - clientWidth} px wider than the window`)
  if (root !== document.body && !isWithin(root.getBoundingClientRect(), view))
    faults.add(`${nameOf(root).slice(0, 40)} is open and not all of it is in the window`)

  /** One thing to see: a control, or a line of text. */
  const check = (one: Element, name: string, boxNow: () => Box, isControl: boolean) => {
    const frames = isControl ? around(one) : [one, ...around(one)]
    const trouble = (): string | undefined => {
      const box = boxNow()
      if (!isSeen(box)) return undefined
      const { shown, cutBy } = shownOf(frames, box)
      const isWhole = isWithin(box, shown)
      if (!isWhole && cutBy) {
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = styleOf(cutBy)
        // Hidden completely, as what does not fit is.
        if (!isSeen(shown)) {
          const isScrolled = scrolls(overflowX) || scrolls(overflowY)
          return isControl || isScrolled ? `is not shown in ${nameOf(cutBy)}` : undefined
        }
        const isShortened = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
        if (isShortened && !isControl) {
          const least = Math.min(widthOf(box), 2.5 * Number.parseFloat(styleOf(one).fontSize))
          return widthOf(shown) < least - 1 ? 'is shortened to nothing' : undefined
        }
        if (isControl || !isShortened) {
          const [tooWide, tooHigh] = [widthOf(box) > cutBy.clientWidth, heightOf(box) > cutBy.clientHeight]
          const isLarger = (tooWide && scrolls(overflowX)) || (tooHigh && scrolls(overflowY))
          if (!isLarger) return `is cut off by ${nameOf(cutBy)}`
        }
      }
      if (!isWhole && !cutBy) return 'is outside the window'
      if (!isSeen(shown)) return undefined
      const y = (shown.top + shown.bottom) / 2
      const middle = (shown.left + shown.right) / 2
      for (const x of isControl ? [middle] : [shown.left + 2, middle, shown.right - 2]) {
        const over = coverAt(one, x, y, isControl)
        if (over) return `is under ${nameOf(over)}`
      }
      return undefined
    }
    let found = trouble()
    // Below a head that stays, or above a bar that floats.
    for (const place of [0.5, 0.2]) {
      if (!found) break
      bringIn(frames, boxNow, place)
      found = trouble()
    }
    if (found) faults.add(`${name} ${found}`)
    putBack()
  }

  const controls =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=switch], [role=tab], [role=menuitem]'
  for (const one of root.querySelectorAll(controls)) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: false })) continue
    if (one.matches('svg *, .sr-only') || one.closest('[inert]')) continue
    check(one, nameOf(one), () => one.getBoundingClientRect(), true)
  }

  // Text by its lines, each without the room above and below its letters.
  const lines: { one: Element; text: string; box: Box }[] = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    const one = node.parentElement
    if (!one || !node.textContent?.trim() || one.closest('svg, option, .sr-only, script, style, noscript')) continue
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const text = node.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)
    const boxes = () => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return [...range.getClientRects()].map(({ left, right, top, bottom }) => {
        const room = (bottom - top) / 5
        return { left, right, top: top + room, bottom: bottom - room }
      })
    }
    for (const [at, box] of boxes().entries()) {
      check(one, `“${text}”`, () => boxes()[at] ?? box, false)
      const { shown } = shownOf([one, ...around(one)], box)
      if (isSeen(shown)) lines.push({ one, text, box: shown })
    }
  }
  // Text on text: nothing between them is painted, so both are seen at once.
  lines.sort((one, other) => one.box.top - other.box.top)
  for (const [at, upper] of lines.entries())
    for (let next = at + 1; next < lines.length; next += 1) {
      const lower = lines[next] as (typeof lines)[number]
      if (lower.box.top >= upper.box.bottom) break
      const both = meet(upper.box, lower.box)
      if (widthOf(both) < 3 || heightOf(both) < 3 || upper.one === lower.one) continue
      const drawing = upper.one.closest(drawings)
      if (drawing?.contains(lower.one)) continue
      const [x, y] = [(both.left + both.right) / 2, (both.top + both.bottom) / 2]
      const stack = document.elementsFromPoint(x, y)
      const [first, second] = [stack.indexOf(upper.one), stack.indexOf(lower.one)]
      if (first < 0 || second < 0) continue
      const between = stack.slice(Math.min(first, second), Math.max(first, second))
      if (!between.some((other) => isPainted(other)))
        faults.add(`“${upper.text}” and “${lower.text}” are on each other`)
    }
  return [...faults]
}
