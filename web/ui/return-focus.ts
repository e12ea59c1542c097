import { useRef } from 'react'

/** For dialogs opened from state: Radix gives the focus back only to a trigger of its own. */
export function useReturnFocus() {
  const before = useRef<Element>(null)
  return {
    rememberFocus() {
      before.current = document.activeElement
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    },
  }
}
