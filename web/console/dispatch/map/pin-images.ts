import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from '../../../../core/task-status.ts'
import type { Colours } from '../../../map/colours.ts'
import { statusLooks } from '../../../tasks/status.tsx'
import { arrowImage, type Risk } from './pin-names.ts'

export const imageRatio = 2
const side = 36
const middle = side / 2

/** The image with that name, or undefined if it is not one of ours. */
export function drawImage(name: string, colours: Colours): ImageData | undefined {
  const [kind, first = '', second = '', third = ''] = name.split('/')
  const canvas = document.createElement('canvas')
  canvas.width = side * imageRatio
  canvas.height = side * imageRatio
  const brush = canvas.getContext('2d') as CanvasRenderingContext2D
  brush.scale(imageRatio, imageRatio)
  brush.lineCap = 'round'
  brush.lineJoin = 'round'
  if (kind === 'pin') drawPin(brush, colours, Number(first) as StatusId, second as Risk, third === '1')
  else if (kind === 'stop') drawStop(brush, colours, first, Number(second) as StatusId, third as Risk)
  else if (kind === 'pile') drawPile(brush, colours, first)
  else if (kind === 'cluster') write(brush, first, colours.surface, first.length > 3 ? 10 : 12, middle, middle + 0.5)
  else if (kind === arrowImage) drawArrow(brush, colours)
  else return undefined
  return brush.getImageData(0, 0, canvas.width, canvas.height)
}

const colourOf = (colours: Colours, status: StatusId) => colours[statusLooks[status].colour.slice(2) as keyof Colours]

function disc(brush: CanvasRenderingContext2D, radius: number, colour: string) {
  brush.beginPath()
  brush.arc(middle, middle, radius, 0, 2 * Math.PI)
  brush.fillStyle = colour
  brush.fill()
}

function ring(brush: CanvasRenderingContext2D, radius: number, width: number, colour: string) {
  brush.beginPath()
  brush.arc(middle, middle, radius, 0, 2 * Math.PI)
  brush.lineWidth = width
  brush.strokeStyle = colour
  brush.stroke()
}

function line(brush: CanvasRenderingContext2D, colour: string, width: number, ...points: [number, number][]) {
  brush.beginPath()
  for (const [x, y] of points) brush.lineTo(middle + x, middle + y)
  brush.lineWidth = width
  brush.strokeStyle = colour
  brush.stroke()
}

function drawRisk(brush: CanvasRenderingContext2D, { bad, waiting, surface }: Colours, risk: Risk) {
  if (risk === 'none') return
  ring(brush, 14.5, 4.5, surface)
  if (risk === 'risky') brush.setLineDash([5, 4])
  ring(brush, 14.5, 2.5, risk === 'late' ? bad : waiting)
  brush.setLineDash([])
}

function drawPin(
  brush: CanvasRenderingContext2D,
  colours: Colours,
  status: StatusId,
  risk: Risk,
  approximate: boolean,
) {
  const colour = colourOf(colours, status)
  const { surface } = colours
  drawRisk(brush, colours, risk)
  disc(brush, 11.5, surface)
  if (status === Unassigned) {
    // Hollow and dashed: unassigned.
    brush.lineCap = 'butt'
    brush.setLineDash([5.5, 2.9])
    ring(brush, 8.6, 3.4, colour)
    brush.setLineDash([])
    disc(brush, 2.4, colour)
  } else disc(brush, 10, colour)
  if (status === Assigned) disc(brush, 4, surface)
  if (status === InTransit) drawNeedle(brush, surface, 1)
  if (status === Succeeded) line(brush, surface, 2.8, [-4.5, 0.5], [-1.5, 3.5], [4.5, -3.5])
  if (status === Failed) {
    line(brush, surface, 2.8, [-3.5, -3.5], [3.5, 3.5])
    line(brush, surface, 2.8, [3.5, -3.5], [-3.5, 3.5])
  }
  if (approximate) drawApproximate(brush, colours)
}

function drawNeedle(brush: CanvasRenderingContext2D, colour: string, scale: number) {
  brush.beginPath()
  for (const [x, y] of [
    [5, -5],
    [0.5, 6],
    [-0.8, 0.8],
    [-6, -0.5],
  ] as const)
    brush.lineTo(middle + x * scale, middle + y * scale)
  brush.closePath()
  brush.fillStyle = colour
  brush.fill()
}

/** A small ≈ at the corner: the place is only approximate. */
function drawApproximate(brush: CanvasRenderingContext2D, { ink, surface }: Colours) {
  brush.beginPath()
  brush.arc(27.5, 27.5, 6.5, 0, 2 * Math.PI)
  brush.fillStyle = ink
  brush.fill()
  write(brush, '≈', surface, 12, 27.5, 28)
}

function drawStop(brush: CanvasRenderingContext2D, colours: Colours, number: string, status: StatusId, risk: Risk) {
  drawRisk(brush, colours, risk)
  disc(brush, 12, colours.surface)
  disc(brush, 10.5, colourOf(colours, status))
  write(brush, number, colours.surface, number.length > 2 ? 9.5 : 12, middle, middle + 0.5)
}

function drawPile(brush: CanvasRenderingContext2D, { ink, surface }: Colours, count: string) {
  const width = 9 + 6 * count.length
  brush.beginPath()
  brush.roundRect(middle - width / 2, middle - 8, width, 16, 8)
  brush.fillStyle = ink
  brush.fill()
  brush.lineWidth = 1.5
  brush.strokeStyle = surface
  brush.stroke()
  write(brush, count, surface, 10.5, middle, middle + 0.5)
}

function drawArrow(brush: CanvasRenderingContext2D, { given, surface }: Colours) {
  line(brush, surface, 5, [-3, -5], [3, 0], [-3, 5])
  line(brush, given, 2.5, [-3, -5], [3, 0], [-3, 5])
}

function write(brush: CanvasRenderingContext2D, text: string, colour: string, size: number, x: number, y: number) {
  brush.font = `700 ${size}px "Inter Variable", system-ui, sans-serif`
  brush.textAlign = 'center'
  brush.textBaseline = 'middle'
  brush.fillStyle = colour
  brush.fillText(text, x, y)
}
