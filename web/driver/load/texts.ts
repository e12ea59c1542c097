import type { Foreign } from '../../../phone/scans.ts'
import { useSay } from '../../words/driver.ts'

/** Why a parcel does not belong in this vehicle. */
export function useForeignText() {
  const say = useSay()
  return ({ result, driver }: Pick<Foreign, 'result' | 'driver'>): string => {
    if (result === 'expected') return ''
    if (result === 'wrongDriver' && driver === null) return say('loadIt_anotherDriver')
    return say(`loadIt_${result}`, { driver: driver ?? '' })
  }
}
