import { Refusal, unknownInBody } from '../../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { findFormIds } from '../../forms/queries.ts'
import { findTaskIds, holdTeams } from '../queries.ts'
import { lockDrivers } from '../read/drivers.ts'
import { awbTaken, unknownAwb, unknownForm, unknownTeam } from '../refusals.ts'
import type { Draft } from './draft.ts'

export type References = Awaited<ReturnType<typeof findReferences>>

/** The records the drafts refer to, looked up for the whole set; drivers are locked, in id order. */
export async function findReferences(db: Db, organisationId: number, drafts: Draft[]) {
  const userIds = idsIn(drafts.map(({ task }) => task.user_id))
  const teamIds = idsIn(drafts.map(({ task }) => task.team_id))
  const awbs = [...new Set(drafts.flatMap(({ dependsOn }) => dependsOn))]
  const locked = userIds.length > 0 ? await lockDrivers(db, organisationId, userIds) : []
  const drivers = new Map(locked.map((driver) => [driver.id, driver]))
  const lastPositions = new Map(locked.map(({ id, last_position }) => [id, last_position]))
  const held = teamIds.length > 0 ? await holdTeams(db, organisationId, teamIds) : []
  const teams = new Map(held.map((team) => [team.id, team]))
  const formIds = idsIn(drafts.map(({ task }) => task.form_id))
  const forms = new Set(formIds.length > 0 ? await findFormIds(db, organisationId, formIds) : [])
  const found = awbs.length > 0 ? await findTaskIds(db, organisationId, awbs) : []
  const known = new Map(found.map(({ id, awb, status_id }) => [awb, { task_id: id, awb, status_id }]))
  const before = new Set<string>()

  return {
    drivers,
    teams,
    /** The tasks they depend on, by awb. */
    known,
    /** Appends to the driver's route. */
    nextPosition(driverId: number): number {
      const position = (lastPositions.get(driverId) ?? 0) + 1
      lastPositions.set(driverId, position)
      return position
    },
    /** A draft may depend on stored tasks and on earlier ones of the same request, so there can be no cycle. */
    problemOf({ task, dependsOn }: Draft): Refusal | undefined {
      const driver = task.user_id === null ? null : drivers.get(task.user_id)
      if (driver === undefined) return unknownInBody('DRIVER_NOT_FOUND', 'userId')
      if (driver && !driver.active) return new Refusal('DRIVER_INACTIVE', { field: 'userId' })
      if (task.team_id !== null && !teams.has(task.team_id)) return unknownTeam()
      if (task.form_id !== null && !forms.has(task.form_id)) return unknownForm()
      const missing = dependsOn.find((awb) => !known.has(awb) && !before.has(awb))
      if (missing !== undefined) return unknownAwb(missing, 'dependencies')
      // Of several drafts with one awb, the first valid one gets it.
      if (before.has(task.awb)) return awbTaken(task.awb)
      before.add(task.awb)
      return undefined
    },
  }
}

const idsIn = (ids: (number | null)[]) => [...new Set(ids.filter((id) => id !== null))]
