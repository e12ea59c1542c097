import type { Texts } from '../say.ts'

/** The dialog that prints labels. */
export const labelWords = {
  labelsLead: 'Sender, recipient, amount to collect, and the AWB as a bar code and a QR code.',
  labelFormat: 'Printed on',
  'pdf-a6': 'A6 pages (PDF)',
  'pdf-a4': 'A4 pages, 4 labels each (PDF)',
  zpl: 'Thermal printer (ZPL)',
  'pdf-a6-hint': 'One label a page, 105 × 148 mm.',
  'pdf-a4-hint': 'With lines to cut along.',
  'zpl-hint': '100 × 150 mm, 203 dpi. Send the file to the printer as it is.',
  tooManyLabels: 'At most {n} labels at a time.',
  saveLabels: { one: 'Save {n} label', other: 'Save {n} labels' },
  labelsFile: 'labels',
} as const satisfies Texts
