/** Black or white text, whichever is easier to read on this colour (`#rrggbb`); white only where it reaches 4.5:1. */
export const textOn = (colour: string) => (luminance(colour) > 0.183 ? '#101828' : '#ffffff')

/** Relative luminance by WCAG; above 0.183 dark text has more contrast. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
