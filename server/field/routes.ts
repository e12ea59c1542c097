import { Refusal } from '../../contract/errors.ts'
import type { DriverNoteInput, HappenedInput } from '../../contract/op.ts'
import type { Scanned } from '../../contract/scan.ts'
import type { Task } from '../../contract/task.ts'
import { noteTypes } from '../../core/note-type.ts'
import type { Context } from '../context.ts'
import { presentDriver } from '../drivers/present.ts'
import { presentFile } from '../files/present.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { requireContent } from '../tasks/change/notes.ts'
import { findRoute } from '../tasks/list/pages.ts'
import { presentTasks } from '../tasks/read/timeline.ts'
import { announceChanges } from '../topics.ts'
import { streamCalls } from './calls/stream.ts'
import { findAllDevices, findDevices, getOwnDriver, removeDevice } from './devices/devices.ts'
import { savePush } from './devices/push.ts'
import { getPushIdentity } from './devices/push-keys.ts'
import { deletePush } from './devices/queries.ts'
import { receiveFile } from './files.ts'
import { reportLocations } from './locations.ts'
import { readOsmand } from './osmand.ts'
import { presentForDriver } from './present.ts'
import { updateProfile } from './profile.ts'
import { describeInvitation, inviteDriver, signInDriver } from './sign-in.ts'
import { applyOp } from './sync/apply.ts'
import { findConflicts, findOpenConflicts, settleConflict } from './sync/conflicts.ts'
import { opOf, type TaskAction } from './sync/op.ts'
import { syncDriver } from './sync/sync.ts'

/** The driver a token belongs to. */
function driverOf({ actor }: Context): number {
  if (actor.type !== 'DRIVER' || actor.id === null) throw new Refusal('FORBIDDEN')
  return actor.id
}

function noteAction(taskId: number, { note, fileId, type }: DriverNoteInput): TaskAction {
  requireContent(note, fileId)
  if (fileId === undefined) return { type: 'note', taskId, note: note as string }
  if (type === noteTypes.signature) return { type: 'signature', taskId, fileId, name: note ?? null }
  return { type: 'photo', taskId, fileId, note: note ?? null }
}

/** A verb is one op that is not collected first. */
async function act(context: Context, organisation: Organisation, action: TaskAction, given: HappenedInput) {
  const op = opOf(action, given, context.clock.now(), organisation.timezone)
  const { refusal, task } = await applyOp(context, organisation, driverOf(context), op)
  if (refusal) throw refusal
  // What was deleted and erased since takes what a phone still has of it, and is not there to be shown.
  if (!task) throw new Refusal('TASK_NOT_FOUND')
  const [answer] = await presentTasks(context.db, organisation, [task], context.clock.now())
  return { task: presentForDriver(answer as Task, organisation) }
}

export const fieldRoutes = {
  async inviteDriver(context, { organisation, params, ownUrl }) {
    return inviteDriver(context, organisation, params.driverId, ownUrl)
  },

  async loginDriver(context, { body, address, ownUrl }) {
    const { token, deviceKey, driver, organisation } = await signInDriver(context, body, address)
    announceChanges(context.notices, organisation.id, ['drivers'])
    return {
      token,
      osmandUrl: `${ownUrl}/osmand/${deviceKey}`,
      user: presentDriver(driver, organisation, context.clock.now()),
    }
  },

  async describeDriverLink(context, { body }) {
    return { user: await describeInvitation(context, body.secret) }
  },

  async listDevices({ db }, { organisation, params }) {
    return { devices: await findDevices(db, organisation.id, params.driverId) }
  },

  async listAllDevices({ db }, { organisation }) {
    return { devices: await findAllDevices(db, organisation.id) }
  },

  async revokeDevice(context, { organisation, params: { driverId, deviceId } }) {
    if (!(await removeDevice(context, 'driver.deviceRemoved', organisation.id, driverId, deviceId)))
      throw new Refusal('DEVICE_NOT_FOUND')
    return {}
  },

  async signOutDevice(context, { organisation, deviceId }) {
    await removeDevice(context, 'driver.signedOut', organisation.id, driverOf(context), deviceId)
    return {}
  },

  async listOwnTasks(context, { organisation, query }) {
    const { tasks, ...more } = await findRoute(context, organisation, driverOf(context), query)
    return { tasks: tasks.map((task) => presentForDriver(task, organisation)), ...more }
  },

  async setDuty(context, { organisation, body }) {
    const driverId = driverOf(context)
    const op = opOf({ type: 'duty', inShift: body.inShift }, body, context.clock.now(), organisation.timezone)
    await applyOp(context, organisation, driverId, op)
    const driver = await getOwnDriver(context.db, organisation.id, driverId)
    return { user: presentDriver(driver, organisation, context.clock.now()) }
  },

  async syncDriver(context, { organisation, deviceId, body }) {
    return syncDriver(context, organisation, { driverId: driverOf(context), deviceId }, body)
  },

  async streamCalls(context, { organisation, deviceId, reader }) {
    return streamCalls(context, organisation.id, { driverId: driverOf(context), deviceId }, reader)
  },

  async getPushKey(context) {
    const { publicKey } = await getPushIdentity(context)
    return { publicKey }
  },

  async savePush({ db, outside }, { organisation, deviceId, body }) {
    await savePush(db, outside, organisation.id, deviceId, body)
    return {}
  },

  async deletePush({ db }, { organisation, deviceId }) {
    await deletePush(db, organisation.id, deviceId)
    return {}
  },

  async listConflicts({ db }, { organisation, query }) {
    return findConflicts(db, organisation, query)
  },

  async listOpenConflicts({ db }, { organisation, query }) {
    return findOpenConflicts(db, organisation, query)
  },

  async settleConflict(context, { organisation, params, body }) {
    return { conflict: await settleConflict(context, organisation, params.conflictId, body) }
  },

  async reportDriverLocations(context, { organisation, deviceId, body }) {
    return reportLocations(context, organisation, { driverId: driverOf(context), deviceId }, body)
  },

  async reportByOsmand(context, { organisation, deviceId, query }) {
    const locations = [readOsmand(query, {})]
    return reportLocations(context, organisation, { driverId: driverOf(context), deviceId }, { locations })
  },

  async postByOsmand(context, { organisation, deviceId, query, body }) {
    const locations = [readOsmand(query, body)]
    return reportLocations(context, organisation, { driverId: driverOf(context), deviceId }, { locations })
  },

  async acceptTask(context, { organisation, params: { taskId }, body }) {
    return act(context, organisation, { type: 'accept', taskId }, body)
  },

  async startTask(context, { organisation, params: { taskId }, body }) {
    return act(context, organisation, { type: 'start', taskId }, body)
  },

  async arriveAtTask(context, { organisation, params: { taskId }, body }) {
    return act(context, organisation, { type: 'arrive', taskId }, body)
  },

  async completeTask(context, { organisation, params: { taskId }, body }) {
    return act(context, organisation, { type: 'complete', taskId }, body)
  },

  async failTask(context, { organisation, params: { taskId }, body }) {
    const reason = body.reason ?? body.failureReason ?? null
    const action = { type: 'fail', taskId, reasonCode: body.reasonCode ?? null, reason } as const
    return act(context, organisation, action, body)
  },

  async scanOwnParcel(context, { organisation, body }) {
    const { code, at = 'vehicle', day = null } = body
    const op = opOf({ type: 'load', code, at, day }, body, context.clock.now(), organisation.timezone)
    const driverId = driverOf(context)
    const { refusal, scanned } = await applyOp(context, organisation, driverId, op)
    if (refusal) throw refusal
    const { task, ...said } = scanned as Scanned
    // Where the customers of others live is not for this driver to find out by typing codes.
    return { ...said, task: said.driver?.id === driverId ? task : null }
  },

  async addOwnNote(context, { organisation, params: { taskId }, body }) {
    return act(context, organisation, noteAction(taskId, body), body)
  },

  async uploadFile(context, { organisation, params, sent }) {
    const fileId = params.fileId.toLowerCase()
    return { file: presentFile(await receiveFile(context, organisation, driverOf(context), fileId, sent)) }
  },

  async updateProfile(context, { organisation, body }) {
    const driver = await updateProfile(context.db, organisation, driverOf(context), body)
    return { user: presentDriver(driver, organisation, context.clock.now()) }
  },
} satisfies Partial<Handlers<Organisation>>
