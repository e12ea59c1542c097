import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { prepareZXingModule, type WriterOptions, writeBarcode } from 'zxing-wasm/writer'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { launchBrowser } from './chromium.ts'
import { test } from './console.ts'
import { says, startDriver, tap } from './driver.ts'

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
function browserWithCamera() {
  launched ??= filmLabel('RO-4711', 'Code128').then((video) =>
    launchBrowser(false, [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ]),
  )
  return launched
}

const openScanner = async (page: Page, street = 'Strada Lipscani') => {
  await page.getByText(street).first().click()
  await tap(page, /^Scan/)
}

const scansOf = async ({ look }: { look: () => Promise<{ notes: { type: number; note: string }[] }> }) =>
  (await look()).notes.filter(({ type }) => type === 4).map(({ note }) => note)

test('a driver scans a parcel with the camera, with our own decoder where the browser has none, and later without a network', async (t) => {
  const streets: Record<string, string> = { 'RO-4711': 'Strada Lipscani 12', 'RO-4712': 'Calea Victoriei 3' }
  const day = await startDriver(t, Object.keys(streets), (awb) => ({ address: { address: streets[awb] } }))
  const look = () => day.look('RO-4711')
  const phone = await day.signedIn({ browser: await browserWithCamera() })
  const loaded: string[] = []
  phone.page.on('request', (request) => loaded.push(request.url()))
  await openScanner(phone.page)
  await until('the scan', async () => (await scansOf({ look })).join() === 'RO-4711')
  await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(loaded.some((url) => url.endsWith('.wasm')))
  assert.ok(loaded.every((url) => url.startsWith(day.wire.url) || url.startsWith('data:') || url.startsWith('blob:')))

  day.wire.cut()
  const page = await phone.reopen()
  await openScanner(page, 'Calea Victoriei')
  await says(page, /RO-4711 is not on this parcel \(RO-4712\)/)
})

test('a browser that reads codes itself loads no decoder, and the code of another parcel is said at once', async (t) => {
  const day = await startDriver(t, ['RO-1'])
  const look = () => day.look('RO-1')
  const { page } = await day.signedIn({ browser: await browserWithCamera() })
  await page.evaluate(() => {
    const detected = [{ rawValue: 'RO-2' }]
    Object.assign(window, {
      BarcodeDetector: class {
        static async getSupportedFormats() {
          return ['code_128']
        }
        detect = async () => detected
      },
    })
  })
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await openScanner(page)
  await says(page, /RO-2 is not on this parcel/)
  await says(page, 'Hold the code in front of the camera.')
  await assertAccessible(page, 'the scanner')
  await until('the scan', async () => (await scansOf({ look })).includes('RO-2'))
  assert.ok(!loaded.some((url) => url.endsWith('.wasm')))
})

test('without a camera, or if it is not allowed, the app says so and takes what is typed', async (t) => {
  const day = await startDriver(t, ['RO-3'])
  const look = () => day.look('RO-3')
  const { page } = await day.signedIn()
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await openScanner(page)
  await says(page, /The camera is not allowed/)
  await page.getByLabel('Code on the parcel').fill('RO-3')
  await tap(page, 'Check')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until('the scan', async () => (await scansOf({ look })).join() === 'RO-3')
})
