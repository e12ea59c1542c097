import { useEffect } from 'react'
import { textOn } from '../../core/colour.ts'

/** The organisation's colour, with black or white text, whichever is easier to read. */
export function useBrandColour(colour: string | undefined) {
  useEffect(() => {
    if (!colour || !/^#[0-9a-f]{6}$/i.test(colour)) return
    const style = document.documentElement.style
    style.setProperty('--brand', colour)
    style.setProperty('--on-brand', textOn(colour))
  }, [colour])
}
