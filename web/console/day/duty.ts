import { api } from '../../api/client.ts'
import { type Driver, keysOf } from '../../api/data.ts'
import { useSave } from '../../ui/save.ts'

/** Switches a driver on or off duty, for drivers whose phone cannot do it. */
export const useSwitchDuty = () =>
  useSave(
    ({ id, inShift }: Pick<Driver, 'id' | 'inShift'>) =>
      api.setDriverDuty({ params: { driverId: id }, body: { inShift: !inShift } }),
    { changes: [...keysOf.drivers] },
  )
