import { useEffect, useRef } from 'react'

type Command = 'right' | 'next' | 'previous' | 'type' | 'map' | 'pin' | 'back'
export type Commands = Record<Command, () => void>

/** The keys of this page. `right` works only where Enter does not press something else. */
export const keysOfPage = [
  { command: 'right', keys: ['Enter'], word: 'keysRight' },
  { command: 'next', keys: ['j'], word: 'keysNextAddress' },
  { command: 'previous', keys: ['k'], word: 'keysPreviousAddress' },
  { command: 'type', keys: ['/'], word: 'keysType' },
  { command: 'map', keys: ['m'], word: 'keysMap' },
  { command: 'pin', keys: ['c'], word: 'keysPin' },
  { command: 'back', keys: ['Escape'], word: 'keysBack' },
] as const satisfies { command: Command; keys: string[]; word: string }[]

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest('textarea, select, input') !== null)
const isFree = (target: EventTarget | null) =>
  target === document.body || (target instanceof HTMLElement && target.matches('[data-address], canvas'))
const somethingIsOpen = () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

/** Listens for them, but not while somebody types; only Escape leads out of a field. */
export function useKeys(commands: Commands) {
  const latest = useRef(commands)
  latest.current = commands
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const found = keysOfPage.find(({ keys }) => (keys as readonly string[]).includes(event.key))
      if (!found || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return
      if (somethingIsOpen() || (isTyping(event.target) && found.command !== 'back')) return
      if (found.command === 'right' && !isFree(event.target)) return
      event.preventDefault()
      latest.current[found.command]()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
