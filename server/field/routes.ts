import { Refusal } from '../../contract/errors.ts'
import type { NoteInput } from '../../contract/task.ts'
import type { Context } from '../context.ts'
import { presentDriver } from '../drivers/present.ts'
import { type DriverRow, findDriver, setDuty } from '../drivers/queries.ts'
import { presentFile } from '../files/present.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { requireContent, signature } from '../tasks/change/notes.ts'
import { findRoute } from '../tasks/list/pages.ts'
import { applyOp, type Op } from './actions.ts'
import { receiveFile } from './files.ts'
import { reportLocations } from './locations.ts'
import { updateProfile } from './profile.ts'
import { inviteDriver, signInDriver } from './sign-in.ts'

/** The driver a token belongs to. */
function driverOf({ actor }: Context): number {
  if (actor.type !== 'DRIVER' || actor.id === null) throw new Refusal('FORBIDDEN')
  return actor.id
}

function noteOp(taskId: number, { note, fileId, type }: NoteInput): Op {
  requireContent(note, fileId)
  if (fileId === undefined) return { type: 'note', taskId, note: note as string }
  if (type === signature) return { type: 'signature', taskId, fileId, name: note ?? null }
  return { type: 'photo', taskId, fileId, note: note ?? null }
}

export const fieldRoutes = {
  async inviteDriver({ db }, { organisation, params, ownUrl }) {
    return inviteDriver(db, organisation, params.driverId, ownUrl)
  },

  async loginDriver(context, { body, address }) {
    const { token, driver, organisation } = await signInDriver(context, body, address)
    return { token, user: presentDriver(driver, organisation) }
  },

  async listOwnTasks(context, { organisation, query }) {
    return findRoute(context, organisation, driverOf(context), query)
  },

  async setDuty(context, { organisation, body }) {
    const driverId = driverOf(context)
    await setDuty(context.db, organisation.id, driverId, body.inShift)
    // No event, but whoever waits for somebody on duty looks when there may be one.
    context.announceEvents()
    const driver = (await findDriver(context.db, organisation.id, driverId)) as DriverRow
    return { user: presentDriver(driver, organisation) }
  },

  async reportDriverLocations(context, { organisation, body }) {
    await reportLocations(context, organisation, driverOf(context), body.locations)
    return {}
  },

  async acceptTask(context, { organisation, params: { taskId } }) {
    return { task: await applyOp(context, organisation, driverOf(context), { type: 'accept', taskId }) }
  },

  async startTask(context, { organisation, params: { taskId } }) {
    return { task: await applyOp(context, organisation, driverOf(context), { type: 'start', taskId }) }
  },

  async arriveAtTask(context, { organisation, params: { taskId } }) {
    return { task: await applyOp(context, organisation, driverOf(context), { type: 'arrive', taskId }) }
  },

  async completeTask(context, { organisation, params: { taskId } }) {
    return { task: await applyOp(context, organisation, driverOf(context), { type: 'complete', taskId }) }
  },

  async failTask(context, { organisation, params: { taskId }, body }) {
    const op = { type: 'fail', taskId, reason: body.reason ?? body.failureReason ?? null } as const
    return { task: await applyOp(context, organisation, driverOf(context), op) }
  },

  async addOwnNote(context, { organisation, params: { taskId }, body }) {
    return { task: await applyOp(context, organisation, driverOf(context), noteOp(taskId, body)) }
  },

  async uploadFile(context, { organisation, params, sent }) {
    const fileId = params.fileId.toLowerCase()
    return { file: presentFile(await receiveFile(context, organisation, driverOf(context), fileId, sent)) }
  },

  async updateProfile(context, { organisation, body }) {
    const driver = await updateProfile(context.db, organisation, driverOf(context), body)
    return { user: presentDriver(driver, organisation) }
  },
} satisfies Partial<Handlers<Organisation>>
