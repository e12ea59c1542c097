import { Refusal } from '../../contract/errors.ts'
import { undoable } from '../context.ts'
import { pageById } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import {
  createAbsence,
  deleteAbsence,
  listAbsences,
  makeUnavailable,
  presentAbsence,
  presentKept,
  presentTaken,
  readDays,
} from './absences.ts'
import { createDriver, deleteDriver, switchDuty, updateDriver } from './actions.ts'
import { presentDriver, presentListedDriver } from './present.ts'
import { findDriver, listDrivers } from './queries.ts'
import { findTrack } from './track.ts'

export const driverRoutes = {
  async createDriver(context, { organisation, body }) {
    const driver = await createDriver(context, organisation, body)
    return { user: presentDriver(driver, organisation, context.clock.now()) }
  },

  async updateDriver(context, { organisation, params, body }) {
    const driver = await updateDriver(context, organisation, params.driverId, body)
    return { user: presentDriver(driver, organisation, context.clock.now()) }
  },

  async setDriverDuty(context, { organisation, params, body }) {
    const driver = await switchDuty(context, organisation.id, params.driverId, body.inShift)
    return { user: presentDriver(driver, organisation, context.clock.now()) }
  },

  async makeUnavailable(context, { organisation, params, body }) {
    const { driver, taken, kept, absence } = await makeUnavailable(
      undoable(context, body),
      organisation,
      params.driverId,
      body,
    )
    return {
      user: presentDriver(driver, organisation, context.clock.now()),
      taken: taken.map(presentTaken),
      kept: kept.map(presentKept),
      absence: absence && presentAbsence(absence),
    }
  },

  async listAllAbsences({ db }, { organisation, query }) {
    const found = await listAbsences(db, organisation.id, null, readDays(query, organisation))
    return { absences: found.map(presentAbsence) }
  },

  async listAbsences({ db }, { organisation, params, query }) {
    if (!(await findDriver(db, organisation.id, params.driverId))) throw new Refusal('DRIVER_NOT_FOUND')
    const found = await listAbsences(db, organisation.id, params.driverId, readDays(query, organisation))
    return { absences: found.map(presentAbsence) }
  },

  async createAbsence(context, { organisation, params, body }) {
    return { absence: presentAbsence(await createAbsence(context, organisation, params.driverId, body)) }
  },

  async deleteAbsence(context, { organisation, params }) {
    await deleteAbsence(context, organisation, params.driverId, params.absenceId)
    return {}
  },

  async deleteDriver(context, { organisation, params, query }) {
    await deleteDriver(context, organisation, params.driverId, query.force ?? false)
    return {}
  },

  async getTrack(context, { organisation, params, query }) {
    return findTrack(context, organisation, params.driverId, query)
  },

  async listDrivers({ db, clock }, { organisation, query }) {
    const filter = { teamId: query.teamId, inShift: query.inShift, text: query.q?.trim() }
    const { page, ...more } = await pageById(query, (...part) => listDrivers(db, organisation.id, filter, ...part))
    return { users: page.map((driver) => presentListedDriver(driver, organisation, clock.now())), ...more }
  },
} satisfies Partial<Handlers<Organisation>>
