import { Refusal, unknownInBody } from '../../contract/errors.ts'
import type { HubInput, HubUpdate } from '../../contract/hub.ts'
import type { TeamUpdate } from '../../contract/team.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { changeTasks, type TaskChange } from '../tasks/change/change.ts'
import { lockTasksOfTeam } from '../tasks/read/lock.ts'
import { findPlace, type HubPlace, mergeParts, nowhere } from './hub-place.ts'
import {
  deleteHub as deleteHubRow,
  deleteTeam as deleteTeamRow,
  findDriverIds,
  findHub,
  findTeam,
  findTeamOfHub,
  type HubFields,
  type HubRow,
  insertHub,
  insertTeam,
  lockHub,
  lockTeam,
  saveDriversOfTeam,
  saveHub,
  saveTeam,
  type TeamView,
} from './queries.ts'

export const createTeam = (
  context: Context,
  organisationId: number,
  input: TeamUpdate & { name: string },
): Promise<TeamView> =>
  context.db.transaction(async (db) => {
    await requireReferences(db, organisationId, input)
    const teamId = await insertTeam(db, organisationId, input.name, input.hubId ?? null)
    await saveDriversOfTeam(db, organisationId, teamId, input.drivers ?? [])
    return (await findTeam(db, organisationId, teamId)) as TeamView
  })

export const updateTeam = (
  context: Context,
  organisationId: number,
  teamId: number,
  input: TeamUpdate,
): Promise<TeamView> =>
  context.db.transaction(async (db) => {
    const before = await lockTeam(db, organisationId, teamId)
    if (!before) throw new Refusal('TEAM_NOT_FOUND')
    await requireReferences(db, organisationId, input)
    const hubId = input.hubId === undefined ? before.hub_id : input.hubId
    await saveTeam(db, organisationId, teamId, input.name ?? before.name, hubId)
    if (input.drivers) await saveDriversOfTeam(db, organisationId, teamId, input.drivers)
    return (await findTeam(db, organisationId, teamId)) as TeamView
  })

/** Tasks changed in one transaction: a team can have years of them. */
const tasksAtOnce = 1_000

/** Drivers and tasks stay, and every task fires an update. If interrupted, it can be repeated. */
export async function deleteTeam(context: Context, organisation: Organisation, teamId: number) {
  while (!(await commitWithEvents(context, (db) => deleteTeamStep(context, db, organisation, teamId))));
}

/** Removes the team from some tasks, and after the last of them deletes it. Returns whether it did. */
async function deleteTeamStep(context: Context, db: Db, organisation: Organisation, teamId: number): Promise<boolean> {
  if (!(await lockTeam(db, organisation.id, teamId))) throw new Refusal('TEAM_NOT_FOUND')
  const tasks = await lockTasksOfTeam(db, organisation.id, teamId, tasksAtOnce)
  const isLast = tasks.length < tasksAtOnce
  if (isLast) await deleteTeamRow(db, organisation.id, teamId)
  const changes = tasks.map(
    (before): TaskChange => ({ before, set: { team_id: null }, fires: ['TASK_UPDATED'], joined: { team: null } }),
  )
  await changeTasks(context, db, organisation, changes, context.clock.now())
  return isLast
}

async function requireReferences(db: Db, organisationId: number, { hubId, drivers = [] }: TeamUpdate) {
  if (hubId && !(await lockHub(db, organisationId, hubId))) throw unknownInBody('HUB_NOT_FOUND', 'hubId')
  const found = drivers.length > 0 ? await findDriverIds(db, organisationId, drivers) : []
  const missing = drivers.find((id) => !found.includes(id))
  if (missing !== undefined) throw unknownInBody('DRIVER_NOT_FOUND', 'drivers', `Driver ${missing} not found`)
}

export const createHub = async (context: Context, organisation: Organisation, input: HubInput): Promise<HubRow> => {
  const place = await findPlace(context, organisation, nowhere, input)
  return insertHub(context.db, organisation.id, mergeHub({ ...nowhere, name: input.name }, input, place))
}

export const updateHub = async (
  context: Context,
  organisation: Organisation,
  hubId: number,
  input: HubUpdate,
): Promise<HubRow> => {
  const known = await findHub(context.db, organisation.id, hubId)
  if (!known) throw new Refusal('HUB_NOT_FOUND')
  // Looked up before the row is locked, because that can take seconds.
  const place = await findPlace(context, organisation, known, input)
  return context.db.transaction(async (db) => {
    const before = await lockHub(db, organisation.id, hubId)
    if (!before) throw new Refusal('HUB_NOT_FOUND')
    return saveHub(db, organisation.id, hubId, mergeHub(before, input, place))
  })
}

export const deleteHub = (context: Context, organisationId: number, hubId: number) =>
  context.db.transaction(async (db) => {
    if (!(await lockHub(db, organisationId, hubId))) throw new Refusal('HUB_NOT_FOUND')
    const team = await findTeamOfHub(db, organisationId, hubId)
    if (team) throw new Refusal('HUB_IN_USE', { message: `The team ${team.name} still uses this hub` })
    await deleteHubRow(db, organisationId, hubId)
  })

const mergeHub = (before: HubFields, input: HubUpdate, place: HubPlace | undefined): HubFields => ({
  name: input.name ?? before.name,
  lat: place?.lat ?? before.lat,
  lng: place?.lng ?? before.lng,
  address: input.address?.trim() ?? before.address,
  precision: place?.precision ?? before.precision,
  ...mergeParts(before, input),
})
