import type { Texts } from '../../say.ts'

/** What is said about drivers and hubs on more than their own pages. */
export const adminWords = {
  newDriver: 'New driver',
  newTeam: 'New team',
  newHub: 'New hub',
  editHub: 'Edit hub',
  hubSaved: 'Hub saved',
  devicesOf: 'Devices: {name}',
  transport: 'Vehicle',
  duty0: 'Off duty',
  duty1: 'Available',
  duty2: 'In transit',
  dutyOf: 'On duty: {name}',
  goOnDuty: 'Switch on duty',
  goOffDuty: 'Switch off duty',
  invite: 'Invite',
  hub: 'Hub',
  chooseOne: 'Choose at least one',
} as const satisfies Texts
