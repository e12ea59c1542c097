import type { StyleImageMetadata } from 'maplibre-gl'
import { type Paints, paints } from './paints.ts'

/*
 * The few pictures that a map needs are painted by the browser, in the colours of the theme: there is no server of
 * sprites.
 */

export const oneWayImage = 'ground-one-way'
export const shieldImage = 'ground-shield'

/** Pixels of a picture per pixel of the page. */
const ratio = 2

interface Picture {
  image: ImageData
  options: Partial<StyleImageMetadata>
}

/** The picture with that name, or undefined if it is not one of the ground. */
export function drawGroundImage(name: string, theme: 'light' | 'dark'): Picture | undefined {
  if (name === oneWayImage) return drawArrow(paints[theme])
  if (name === shieldImage) return drawShield(paints[theme])
  return undefined
}

function startPicture(width: number, height: number) {
  const canvas = document.createElement('canvas')
  canvas.width = width * ratio
  canvas.height = height * ratio
  const brush = canvas.getContext('2d') as CanvasRenderingContext2D
  brush.scale(ratio, ratio)
  return { brush, read: () => brush.getImageData(0, 0, canvas.width, canvas.height) }
}

/** Points to the right, along the line that it marks. */
function drawArrow({ mark }: Paints): Picture {
  const { brush, read } = startPicture(18, 9)
  brush.strokeStyle = mark
  brush.lineWidth = 1.6
  brush.lineCap = 'round'
  brush.lineJoin = 'round'
  brush.beginPath()
  brush.moveTo(2, 4.5)
  brush.lineTo(15.5, 4.5)
  brush.moveTo(12, 1.5)
  brush.lineTo(15.5, 4.5)
  brush.lineTo(12, 7.5)
  brush.stroke()
  return { image: read(), options: { pixelRatio: ratio } }
}

/** A frame that grows with the text in it; its corners do not. */
function drawShield({ shield, mark }: Paints): Picture {
  const side = 14
  const { brush, read } = startPicture(side, side)
  brush.fillStyle = shield
  brush.strokeStyle = mark
  brush.lineWidth = 1
  brush.beginPath()
  brush.roundRect(0.5, 0.5, side - 1, side - 1, 3)
  brush.fill()
  brush.stroke()
  const [from, to] = [4 * ratio, (side - 4) * ratio]
  return {
    image: read(),
    options: {
      pixelRatio: ratio,
      stretchX: [[from, to]],
      stretchY: [[from, to]],
      content: [2 * ratio, ratio, (side - 2) * ratio, (side - 1) * ratio],
    },
  }
}
