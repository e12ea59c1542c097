/** The longest side of a picture, as on the server, so that nothing is kept or sent that it would throw away. */
const mostPixels = 2_048
const quality = 0.85

/** This file is not a picture the browser can read. */
export class Unreadable extends Error {}

/** A photo as it is kept: turned upright, at most 2,048 px, without what the camera wrote into it. */
export async function scalePhoto(file: Blob): Promise<ArrayBuffer> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Unreadable()
  })
  try {
    return await scale(bitmap, bitmap.width, bitmap.height)
  } finally {
    bitmap.close()
  }
}

/** What a camera shows now, as it is kept. */
export const scaleFrame = (video: HTMLVideoElement) => scale(video, video.videoWidth, video.videoHeight)

function scale(source: CanvasImageSource, width: number, height: number): Promise<ArrayBuffer> {
  const part = Math.min(1, mostPixels / Math.max(width, height))
  const { canvas, pen } = makeCanvas(Math.round(width * part), Math.round(height * part))
  pen.drawImage(source, 0, 0, canvas.width, canvas.height)
  return bytesOf(canvas, 'image/jpeg')
}

export type Stroke = [x: number, y: number][]

/** Height of the pad, in parts of its width. */
export const padRatio = 0.42
const signatureWidth = 1_000

/** A signature as a picture: black on white, whatever the theme of the app. */
export function drawSignature(strokes: readonly Stroke[]): Promise<ArrayBuffer> {
  const { canvas, pen } = makeCanvas(signatureWidth, signatureWidth * padRatio)
  pen.fillStyle = '#ffffff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.lineWidth = 6
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  for (const [first, ...rest] of strokes) {
    if (!first) continue
    pen.beginPath()
    pen.moveTo(first[0] * signatureWidth, first[1] * signatureWidth)
    // A dot is a line to where it began.
    for (const [x, y] of rest.length > 0 ? rest : [first]) pen.lineTo(x * signatureWidth, y * signatureWidth)
    pen.stroke()
  }
  return bytesOf(canvas, 'image/png')
}

function makeCanvas(width: number, height: number) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (!pen) throw new Unreadable()
  return { canvas, pen }
}

const bytesOf = async (canvas: HTMLCanvasElement, type: string) => {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality))
  if (!blob) throw new Unreadable()
  return blob.arrayBuffer()
}
