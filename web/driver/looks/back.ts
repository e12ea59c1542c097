import { useEffect, useEffectEvent } from 'react'

/*
 * The phone's back button closes what lies over a screen before it leaves the screen. While anything lies there, the
 * history holds one entry more, for the same screen; going back takes that entry, and we close what is on top.
 */

const mark = { isOver: true }
/** Whether the entry of the history we are at is that one. */
export const isOverScreen = () => (history.state as Partial<typeof mark> | null)?.isOver === true

type Layer = () => void
let layers: Layer[] = []
/** What to do once we have gone back ourselves, which takes a moment. */
let leaving: (() => void) | undefined

function leave(then: () => void) {
  leaving = then
  history.back()
}

/** Makes the history fit what is open. A layer that another one replaces at once changes nothing. */
function settle() {
  if (leaving || isOverScreen() === layers.length > 0) return
  if (layers.length > 0) history.pushState(mark, '')
  else leave(() => {})
}
const settleSoon = () => queueMicrotask(settle)

window.addEventListener('popstate', () => {
  const then = leaving
  leaving = undefined
  if (then) then()
  else if (!isOverScreen()) layers.at(-1)?.()
  settleSoon()
})
// The page was loaded again while something was open.
settleSoon()

/** Runs this at the entry of the screen itself; what lies over it is about to go with the screen. */
export function fromScreen(run: () => void) {
  if (!isOverScreen() || leaving) return run()
  layers = []
  leave(run)
}

/** For what lies over a screen, as long as it is shown: `onBack` closes it. */
export function useBack(onBack: () => void) {
  const close = useEffectEvent(onBack)
  useEffect(() => {
    const layer = () => close()
    layers.push(layer)
    settleSoon()
    return () => {
      layers = layers.filter((one) => one !== layer)
      settleSoon()
    }
  }, [])
}
