const names = [
  'surface',
  'raised',
  'page',
  'sunken',
  'line',
  'line-strong',
  'ink',
  'ink-soft',
  'ink-faint',
  'accent',
  'waiting',
  'given',
  'moving',
  'good',
  'bad',
] as const

/** The colours of the current theme, by their names in styles.css, in a form that WebGL understands. */
export type Colours = Record<(typeof names)[number], string>

/** Some colours are computed by the browser, so they are painted once and read back. */
export function readColours(): Colours {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const brush = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
  const probe = document.createElement('span')
  document.body.append(probe)
  const read = (name: string) => {
    probe.style.color = `var(--${name})`
    brush.fillStyle = getComputedStyle(probe).color
    brush.fillRect(0, 0, 1, 1)
    const [red, green, blue] = brush.getImageData(0, 0, 1, 1).data
    return `rgb(${red}, ${green}, ${blue})`
  }
  const colours = Object.fromEntries(names.map((name) => [name, read(name)])) as Colours
  probe.remove()
  return colours
}
