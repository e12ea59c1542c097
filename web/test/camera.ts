import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { prepareZXingModule, type WriterOptions, writeBarcode } from 'zxing-wasm/writer'
import { until } from '../../server/test/until.ts'
import { launchBrowser } from './chromium.ts'

/** A video of a label, as a camera would see it. */
async function filmLabel(code: string, format: NonNullable<WriterOptions['format']>) {
  const wasmBinary = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer }, fireImmediately: true })
  const { svg } = await writeBarcode(code, { format, scale: 4, addQuietZones: true })
  const label = await sharp(Buffer.from(svg))
    .resize(400, 260, { fit: 'contain', background: 'white' })
    .rotate(4, { background: 'white' })
    .toBuffer()
  const frame = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#8a7f70' } })
    .composite([{ input: label }])
    .jpeg()
    .toBuffer()
  const folder = await mkdtemp(join(tmpdir(), 'waybill-camera-'))
  const file = join(folder, 'label.mjpeg')
  await writeFile(file, Buffer.concat(Array(10).fill(frame)))
  return file
}

let launched: Promise<Browser> | undefined
after(async () => (await launched)?.close())
/** A browser with a camera before which somebody holds RO-4711. */
export function browserWithCamera() {
  launched ??= filmLabel('RO-4711', 'Code128').then((video) =>
    launchBrowser(false, [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ]),
  )
  return launched
}

/** A browser that reads codes itself, and always reads what `window.held` says. */
export const holdBefore = (page: Page, code: string) =>
  page.evaluate((held) => {
    Object.assign(window, {
      held,
      looks: 0,
      BarcodeDetector: class {
        static async getSupportedFormats() {
          return ['code_128']
        }
        async detect() {
          const now = window as unknown as { held: string; looks: number }
          now.looks += 1
          return [{ rawValue: now.held }]
        }
      },
    })
  }, code)

/** Waits until the camera has looked at what is held before it, for seconds. */
export async function lookLong(page: Page) {
  const looks = () => page.evaluate<number>('looks')
  const before = await looks()
  await until('many looks', async () => (await looks()) > before + 25)
}
