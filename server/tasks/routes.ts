import { orThrow, presentRefusal, Refusal } from '../../contract/errors.ts'
import { mostItems } from '../../contract/limits.ts'
import type { Task } from '../../contract/task.ts'
import { undoable } from '../context.ts'
import type { Db } from '../db/db.ts'
import { presentTimelineEntry } from '../events/present.ts'
import { decodeCursor, encodeCursor, everything, isId, pageInSlices } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import { presentSettings } from '../organisations/present.ts'
import type { Organisation } from '../organisations/queries.ts'
import { addNote, deleteTask, forceCompleteTask } from './change/actions.ts'
import { unassignTasksByAwb } from './change/assign.ts'
import { correctTask } from './change/correct.ts'
import { addPayment } from './change/payments.ts'
import { updateTask, updateTasks } from './change/update.ts'
import { createTasks } from './create/create.ts'
import { createTask } from './create/gather.ts'
import { delegateTasks, undelegateTasks } from './delegate/delegate.ts'
import { findRoute, findTasks } from './list/pages.ts'
import { awbIn, isRead, numberOf, outcomeOf, textOf } from './outcomes.ts'
import { sumBalance } from './partner-balance.ts'
import { presentNote, presentPayment } from './present.ts'
import { listPayments, listUnseenNotes, markSeenByOffice } from './queries.ts'
import { isDriver } from './read/drivers.ts'
import { findShownTask } from './read/gather.ts'
import { listEventsOfTask } from './read/timeline.ts'
import { findTask } from './read/view.ts'
import { answerEtas, answerFeedback, answerTasks } from './reports/answers.ts'
import { closeTasks } from './tries/close.ts'
import type { Followed } from './tries/follow.ts'
import { reattemptTasks } from './tries/reattempt.ts'
import { returnTasks } from './tries/return.ts'
import { undo } from './undo/undo.ts'

const mostUnseen = 100

export const taskRoutes = {
  async createTask(context, { organisation, body }) {
    return { task: orThrow(await createTask(context, organisation, body)) }
  },

  async bulkCreateTasks(context, { organisation, body }) {
    return { results: creationResults(await createTasks(context, organisation, body.tasks), organisation) }
  },

  async bulkCreateDriverTasks(context, { organisation, params, body }) {
    await requireDriver(context.db, organisation.id, params.driverId)
    const forDriver = body.tasks.map((task) => (task instanceof Refusal ? task : { ...task, userId: params.driverId }))
    return { results: creationResults(await createTasks(context, organisation, forDriver), organisation) }
  },

  async listTasks(context, { organisation, query }) {
    return findTasks(context, organisation, query)
  },

  async listDriverTasks(context, { organisation, params, query }) {
    await requireDriver(context.db, organisation.id, params.driverId)
    return findRoute(context, organisation, params.driverId, query)
  },

  async getTask(context, { organisation, params }) {
    return { task: found(await findShownTask(context, organisation, 'id', params.taskId)) }
  },

  async getTaskByAwb(context, { organisation, params }) {
    return { task: found(await findShownTask(context, organisation, 'awb', params.awb)) }
  },

  async listTimelines({ db }, { organisation, params, query }) {
    const { last_sequence } = found(await findTask(db, organisation.id, params.taskId))
    const { limit = mostItems, cursor } = query
    const events = await listEventsOfTask(db, organisation.id, params.taskId, decodeCursor(cursor, 0, isId), limit)
    const last = events.at(-1)?.sequence ?? last_sequence
    return {
      timelines: events.map(presentTimelineEntry),
      ...(last < last_sequence && { nextCursor: encodeCursor(last) }),
    }
  },

  async getTaskReport(context, { organisation, query }) {
    return answerTasks(context, organisation, query)
  },

  async getEtaReport(context, { organisation, query }) {
    return answerEtas(context, organisation, query)
  },

  async getFeedbackReport(context, { organisation, query }) {
    return answerFeedback(context, organisation, query)
  },

  async updateTask(context, { organisation, params, body }) {
    return { task: await updateTask(context, organisation, params.awb, body) }
  },

  async bulkUpdateTasks(context, { organisation, body: { tasks, dryRun } }) {
    const results = await updateTasks(context, organisation, tasks, dryRun)
    return {
      results: results.map((result, index) => {
        const given = tasks[index] as (typeof tasks)[number]
        const awb = given instanceof Refusal ? awbIn(given.given) : given.awb
        const told = result instanceof Refusal ? { error: presentRefusal(result) } : result
        return { item: index + 1, awb, success: !(result instanceof Refusal), ...told }
      }),
    }
  },

  async forceCompleteTask(context, { organisation, params, body }) {
    return { task: await forceCompleteTask(context, organisation, params.awb, body) }
  },

  async reattemptTask(context, { organisation, params, body }) {
    return { task: orThrow((await reattemptTasks(context, organisation, [params.awb], body)).get(params.awb)) }
  },

  async returnTask(context, { organisation, params, body }) {
    return { task: orThrow((await returnTasks(context, organisation, [params.awb], body)).get(params.awb)) }
  },

  async correctTask(context, { organisation, params, body }) {
    return { task: await correctTask(context, organisation, params.awb, body) }
  },

  async bulkReattemptTasks(context, { organisation, body: { tasks, ...input } }) {
    return { results: tryResults(tasks, await reattemptTasks(context, organisation, tasks.filter(isRead), input)) }
  },

  async bulkReturnTasks(context, { organisation, body: { tasks } }) {
    return { results: tryResults(tasks, await returnTasks(context, organisation, tasks.filter(isRead), {})) }
  },

  async bulkCloseTasks(context, { organisation, body: { tasks, closed = true } }) {
    return { results: tryResults(tasks, await closeTasks(context, organisation, tasks.filter(isRead), closed)) }
  },

  async addTaskNote(context, { organisation, params, body }) {
    return { task: await addNote(context, organisation, params.awb, body) }
  },

  async listUnseenNotes({ db }, { organisation }) {
    const rows = await listUnseenNotes(db, organisation.id, mostUnseen)
    return { notes: rows.map((row) => ({ ...presentNote(row), awb: row.awb })) }
  },

  async markNotesSeen(context, { organisation, params }) {
    found(await findTask(context.db, organisation.id, params.taskId))
    // Opening a task that has nothing new must not make every screen ask again.
    if ((await markSeenByOffice(context.db, organisation.id, params.taskId)) > 0) context.announceChanges(['notes'])
    return {}
  },

  async listPayments({ db }, { organisation, params, query }) {
    found(await findTask(db, organisation.id, params.taskId))
    const { cursor, limit = everything } = query
    const { page, ...more } = await pageInSlices(
      decodeCursor(cursor, 0, isId),
      limit,
      500,
      (...part) => listPayments(db, organisation.id, params.taskId, ...part),
      ({ id }) => id,
      (rows) => rows.map(presentPayment),
    )
    return { payments: page, ...more }
  },

  async addPayment(context, { organisation, params, body }) {
    return addPayment(context, organisation, params.taskId, body)
  },

  async deleteTask(context, { organisation, params, query }) {
    await deleteTask(context, organisation, params.awb, query)
    return {}
  },

  async delegateTask(context, { organisation, params: { taskId }, body: { companyId } }) {
    refuse((await delegateTasks(context, organisation, companyId, [taskId])).get(taskId))
    return { task: found(await findShownTask(context, organisation, 'id', taskId)) }
  },

  async undelegateTask(context, { organisation, params: { taskId } }) {
    refuse((await undelegateTasks(context, organisation, [taskId])).get(taskId))
    return {}
  },

  async bulkDelegateTasks(context, { organisation, body: { tasks, companyId } }) {
    const results = await delegateTasks(context, organisation, companyId, tasks.filter(isRead))
    return { results: tasks.map((id) => ({ id: numberOf(id), ...outcomeOf(id, results) })) }
  },

  async bulkUndelegateTasks(context, { organisation, body: { tasks } }) {
    const results = await undelegateTasks(context, organisation, tasks.filter(isRead))
    return { results: tasks.map((id) => ({ id: numberOf(id), ...outcomeOf(id, results) })) }
  },

  async getPartnerBalance(context, { organisation, params: { companyId }, query }) {
    return { balance: await sumBalance(context, organisation, companyId, query) }
  },

  async undoChanges(context, { organisation, body }) {
    const restored = await undo(context, organisation, body.undoId)
    return {
      results: restored.map(({ task: { id, awb }, refusal, hasLostStart }) => ({
        id,
        awb,
        success: !refusal,
        ...(refusal && { error: presentRefusal(refusal) }),
        ...(hasLostStart && { notRestored: 'start' }),
      })),
    }
  },

  async bulkUnassignTasks(context, { organisation, body }) {
    const { tasks: awbs = [] } = body
    const { tasks, results } = await unassignTasksByAwb(undoable(context, body), organisation, awbs.filter(isRead))
    const listed = [...new Set(awbs.filter(isRead))].map((awb) => tasks.get(awb)).filter((task) => task !== undefined)
    return {
      tasks: listed.map(({ id, status_id }) => ({ id, statusId: status_id })),
      results: awbs.map((awb) => ({ awb: textOf(awb), ...outcomeOf(awb, results) })),
    }
  },
} satisfies Partial<Handlers<Organisation>>

async function requireDriver(db: Db, organisationId: number, driverId: number) {
  if (!(await isDriver(db, organisationId, driverId))) throw new Refusal('DRIVER_NOT_FOUND')
}

function found<Found>(view: Found | undefined): Found {
  if (!view) throw new Refusal('TASK_NOT_FOUND')
  return view
}

/** The outcome of the only item; none is success. */
function refuse(refusal: Refusal | undefined) {
  if (refusal) throw refusal
}

const tryResults = (awbs: (string | Refusal)[], results: Followed) =>
  awbs.map((awb) => {
    const result = awb instanceof Refusal ? awb : orMissing(results.get(awb))
    return result instanceof Refusal
      ? { awb: textOf(awb), success: false, error: presentRefusal(result) }
      : { awb: textOf(awb), success: true, data: result }
  })

const orMissing = (result: Task | Refusal | undefined) => result ?? new Refusal('TASK_NOT_FOUND')

const creationResults = (results: (Task | Refusal)[], organisation: Organisation) =>
  results.map((result, index) =>
    result instanceof Refusal
      ? { item: index + 1, success: false, error: presentRefusal(result) }
      : {
          item: index + 1,
          success: true,
          data: { ...result, owner: { ...result.owner, settings: presentSettings(organisation) } },
        },
  )
