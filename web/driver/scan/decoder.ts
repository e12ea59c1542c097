import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import binaryPath from 'zxing-wasm/reader/zxing_reader.wasm?url'

/* Reads codes where the browser cannot, as on iPhones: ZXing, a megabyte that only those phones load, once. */

const cacheName = 'waybill-scanner'
/** More pixels take longer and find nothing more at arm's length. */
const mostPixels = 1_280

/** What is printed on parcels. Fewer kinds mean fewer patterns that only look like a code. */
const options: ReaderOptions = {
  formats: ['Code128', 'Code39', 'Code93', 'ITF', 'EAN13', 'EAN8', 'UPCA', 'QRCode', 'DataMatrix', 'PDF417', 'Aztec'],
  maxNumberOfSymbols: 1,
}

export async function openDecoder() {
  await prepareZXingModule({ overrides: { wasmBinary: await loadBinary() }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const pencil = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
  return {
    async read(video: HTMLVideoElement): Promise<string[]> {
      const scale = Math.min(1, mostPixels / Math.max(video.videoWidth, video.videoHeight))
      canvas.width = Math.round(video.videoWidth * scale)
      canvas.height = Math.round(video.videoHeight * scale)
      if (canvas.width === 0 || canvas.height === 0) return []
      pencil.drawImage(video, 0, 0, canvas.width, canvas.height)
      const found = await readBarcodes(pencil.getImageData(0, 0, canvas.width, canvas.height), options)
      return found.filter(({ isValid }) => isValid).map(({ text }) => text)
    },
  }
}

/** Kept on the phone after the first time, so that scanning works without a network too. */
async function loadBinary(): Promise<ArrayBuffer> {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(binaryPath)
  if (kept) return kept.arrayBuffer()
  const fetched = await fetch(binaryPath)
  if (!fetched.ok) throw new Error(`The decoder could not be loaded: ${fetched.status}`)
  for (const old of await cache.keys()) await cache.delete(old)
  // A full phone can still scan this time.
  await cache.put(binaryPath, fetched.clone()).catch(() => {})
  return fetched.arrayBuffer()
}
