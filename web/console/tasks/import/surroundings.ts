import { useMemo } from 'react'
import { useCompany, useDrivers, useForms, useTeams } from '../../../api/data.ts'
import { useMoneyReading } from '../../../api/time.ts'
import type { Surroundings } from './check.ts'

/** What rows are checked against; ready when all of it is here. */
export function useSurroundings(day: string): { around: Surroundings; isReady: boolean } {
  const money = useMoneyReading()
  const { data: drivers } = useDrivers()
  const { data: teams } = useTeams()
  const { data: forms } = useForms()
  const { data: company } = useCompany()
  const { enableAWB: hasOwnAwbs = true, enableTeamAssignment: hasTeamsAlone = true } = company?.settings ?? {}
  const around = useMemo(
    () => ({
      day,
      drivers: drivers?.filter(({ active }) => active) ?? [],
      teams: teams ?? [],
      forms: forms ?? [],
      money,
      hasOwnAwbs,
      hasTeamsAlone,
    }),
    [day, drivers, teams, forms, money, hasOwnAwbs, hasTeamsAlone],
  )
  const isReady = [drivers, teams, forms, company].every((one) => one !== undefined)
  return { around, isReady }
}
