/** Finds codes in what a camera shows. */
export interface Reader {
  read(video: HTMLVideoElement): Promise<string[]>
}

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (): Detector
  getSupportedFormats(): Promise<string[]>
}

/** What the browser has of its own, otherwise our decoder, which is loaded only then. */
export async function openReader(): Promise<Reader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  // Some desktops have the class and nothing behind it.
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  if (!BarcodeDetector || formats.length === 0) return (await import('./decoder.ts')).openDecoder()
  const detector = new BarcodeDetector()
  return { read: async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue) }
}
