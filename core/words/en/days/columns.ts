import type { Texts } from '../../say.ts'

/** The menu of the table's columns. */
export const columnWords = {
  usualColumns: 'Reset columns',
  organisationColumns: 'Back to the organisation’s columns',
  columnsForEverybody: 'Use for everybody',
  columnsForEverybodyHint: 'Everybody begins with these columns; each person can choose others',
  columnsOfEverybody: 'Everybody now begins with these columns',
} as const satisfies Texts
