import { useMemo } from 'react'
import { useDrivers, useForms, useTeams } from '../../../api/data.ts'
import { useMoneyReading } from '../../../api/time.ts'
import type { Surroundings } from './check.ts'

/** What rows are checked against; ready when all of it is here. */
export function useSurroundings(day: string): { around: Surroundings; isReady: boolean } {
  const money = useMoneyReading()
  const { data: drivers } = useDrivers()
  const { data: teams } = useTeams()
  const { data: forms } = useForms()
  const around = useMemo(
    () => ({ day, drivers: drivers ?? [], teams: teams ?? [], forms: forms ?? [], money }),
    [day, drivers, teams, forms, money],
  )
  return { around, isReady: drivers !== undefined && teams !== undefined && forms !== undefined }
}
