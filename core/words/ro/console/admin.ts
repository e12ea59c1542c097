import type { adminWords as english } from '../../en/console/admin.ts'
import type { Translation } from '../../say.ts'

export const adminWords = {
  newDriver: 'Șofer nou',
  newTeam: 'Echipă nouă',
  newHub: 'Depozit nou',
  editHub: 'Editează depozitul',
  hubSaved: 'Depozit salvat',
  devicesOf: 'Dispozitive: {name}',
  transport: 'Vehicul',
  duty0: 'În afara turei',
  duty1: 'Disponibil',
  duty2: 'Pe drum',
  dutyOf: 'În tură: {name}',
  goOnDuty: 'Trece în tură',
  goOffDuty: 'Scoate din tură',
  invite: 'Invită',
  hub: 'Depozit',
  chooseOne: 'Alege cel puțin una',
} as const satisfies Translation<typeof english>
