import { useEffect } from 'react'

/** The organisation's colour, with black or white text, whichever is easier to read. */
export function useBrandColour(colour: string | undefined) {
  useEffect(() => {
    if (!colour || !/^#[0-9a-f]{6}$/i.test(colour)) return
    const style = document.documentElement.style
    style.setProperty('--brand', colour)
    style.setProperty('--on-brand', luminance(colour) > 0.183 ? '#101828' : '#ffffff')
  }, [colour])
}

/** Relative luminance by WCAG; above 0.183 dark text has more contrast. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
