import type { Static } from 'typebox'
import { type Language, languageCodes } from '../core/words/languages.ts'
import { mostLabels } from './limits.ts'
import { Awb, Nullable, Text } from './schema.ts'
import { Type } from './type.ts'

/** What labels are printed on: sheets of their own size, four to a sheet, or a thermal printer. */
export const labelFormats = ['pdf-a6', 'pdf-a4', 'zpl'] as const
export type LabelFormat = (typeof labelFormats)[number]

const fields = {
  format: Type.Optional(
    Type.Unsafe<LabelFormat>({
      type: 'string',
      enum: labelFormats,
      description:
        'pdf-a6 (the default): a page for each; pdf-a4: four on a page; zpl: for thermal printers, 100 × 150 mm at 203 dpi',
    }),
  ),
  language: Type.Optional(
    Type.Unsafe<Language>({
      type: 'string',
      enum: languageCodes,
      description: 'Defaults to the language of messages to customers',
    }),
  ),
}

export const LabelsQuery = Type.Object({
  awbs: Text(10_000, {
    minLength: 1,
    description: `AWBs separated by commas, at most ${mostLabels}. For more than fit an address, or AWBs that contain a comma, use POST`,
  }),
  ...fields,
})

export const LabelsInput = Type.Object(
  {
    awbs: Type.Array(Awb, { minItems: 1, maxItems: mostLabels, description: 'A label for each, in this order' }),
    ...fields,
  },
  { title: 'LabelsInput' },
)
export type LabelsInput = Static<typeof LabelsInput>

export const ManifestQuery = Type.Object({
  day: Type.Optional(
    Nullable(Text(10, { description: 'YYYY-MM-DD in the organisation’s time zone; today is the default' })),
  ),
  language: fields.language,
})
export type ManifestQuery = Static<typeof ManifestQuery>
