import type { columnWords as english } from '../../en/days/columns.ts'
import type { Translation } from '../../say.ts'

export const columnWords = {
  usualColumns: 'Resetează coloanele',
  organisationColumns: 'Înapoi la coloanele organizației',
  columnsForEverybody: 'Folosește pentru toți',
  columnsForEverybodyHint: 'Toți încep cu aceste coloane; fiecare poate alege altele',
  columnsOfEverybody: 'Toți încep acum cu aceste coloane',
} as const satisfies Translation<typeof english>
