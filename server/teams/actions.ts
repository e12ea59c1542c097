import { Refusal, unknownInBody } from '../../contract/errors.ts'
import type { HubInput, HubUpdate } from '../../contract/hub.ts'
import type { TeamUpdate } from '../../contract/team.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { changeTasks, type TaskChange } from '../tasks/change/change.ts'
import { lockTasksOfTeam } from '../tasks/read/lock.ts'
import {
  deleteHub as deleteHubRow,
  deleteTeam as deleteTeamRow,
  findDriverIds,
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

const nowhere = { city: '', state: '', country: '', street_number: '', street_name: '', postal_code: '', apartment: '' }

export const createHub = (context: Context, organisationId: number, input: HubInput): Promise<HubRow> =>
  insertHub(
    context.db,
    organisationId,
    mergeHub({ ...nowhere, name: input.name, lat: input.lat, lng: input.lng }, input),
  )

export const updateHub = (context: Context, organisationId: number, hubId: number, input: HubUpdate): Promise<HubRow> =>
  context.db.transaction(async (db) => {
    const before = await lockHub(db, organisationId, hubId)
    if (!before) throw new Refusal('HUB_NOT_FOUND')
    return saveHub(db, organisationId, hubId, mergeHub(before, input))
  })

export const deleteHub = (context: Context, organisationId: number, hubId: number) =>
  context.db.transaction(async (db) => {
    if (!(await lockHub(db, organisationId, hubId))) throw new Refusal('HUB_NOT_FOUND')
    const team = await findTeamOfHub(db, organisationId, hubId)
    if (team) throw new Refusal('HUB_IN_USE', { message: `The team ${team.name} still uses this hub` })
    await deleteHubRow(db, organisationId, hubId)
  })

const mergeHub = (before: HubFields, input: HubUpdate): HubFields => ({
  name: input.name ?? before.name,
  lat: input.lat ?? before.lat,
  lng: input.lng ?? before.lng,
  city: input.city ?? before.city,
  state: input.state ?? before.state,
  country: input.country ?? before.country,
  street_number: input.streetNumber ?? before.street_number,
  street_name: input.streetName ?? before.street_name,
  postal_code: input.postalCode ?? before.postal_code,
  apartment: input.apartment ?? before.apartment,
})
