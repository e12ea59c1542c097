import type { labelWords as english } from '../en/labels.ts'
import type { Translation } from '../say.ts'

export const labelWords = {
  labelsLead: 'Expeditor, destinatar, ramburs și AWB-ul în cod de bare și cod QR.',
  labelFormat: 'Se tipăresc pe',
  'pdf-a6': 'Pagini A6 (PDF)',
  'pdf-a4': 'Pagini A4, câte 4 etichete (PDF)',
  zpl: 'Imprimantă termică (ZPL)',
  'pdf-a6-hint': 'O etichetă pe pagină, 105 × 148 mm.',
  'pdf-a4-hint': 'Cu linii de tăiere.',
  'zpl-hint': '100 × 150 mm, 203 dpi. Trimite fișierul la imprimantă așa cum este.',
  tooManyLabels: 'Cel mult {n} etichete o dată.',
  saveLabels: { one: 'Salvează eticheta', few: 'Salvează {n} etichete', other: 'Salvează {n} de etichete' },
  labelsFile: 'etichete',
} as const satisfies Translation<typeof english>
