import type { OpInput, PhoneTask } from '../../../contract/sync.ts'
import { type Answered, addAnswers, type FormField, readAnswers, writeAnswers } from '../../../core/form.ts'
import type { Settings } from '../../../core/settings.ts'
import { Assigned, decideMove, type MoveName, Succeeded, statuses } from '../../../core/task-status.ts'

/*
 * What the driver did shows at once, long before the server has heard of it. It is laid over the task and never written
 * into it: when the server has answered, the op goes and the task is what the server says.
 */

export const noteTypes = { note: 1, photo: 2, signature: 3, scan: 4 } as const

interface Rules {
  settings: Settings
  fieldsOf: (task: PhoneTask) => readonly FormField[]
  driver: { id: number; name: string }
}

/** The tasks as they are once all this has been sent. */
export function lookAhead(tasks: readonly PhoneTask[], ops: readonly OpInput[], rules: Rules): PhoneTask[] {
  const ahead = new Map(tasks.map((task) => [task.id, task]))
  for (const op of ops) {
    const task = op.taskId === undefined ? undefined : ahead.get(op.taskId)
    if (task) ahead.set(task.id, applyOp(task, op, rules))
  }
  return [...ahead.values()].map((task) => ({
    ...task,
    dependencies: task.dependencies.map((one) => ({
      ...one,
      statusId: ahead.get(one.taskId)?.statusId ?? one.statusId,
    })),
  }))
}

function applyOp(task: PhoneTask, op: OpInput, rules: Rules): PhoneTask {
  const at = op.occurredAt
  switch (op.type) {
    case 'accept': {
      const accepted = { ...task, acceptedAt: task.acceptedAt ?? at }
      const starts = rules.settings.driverAutoStartsTaskOnAccept && task.statusId === Assigned
      return starts ? move(accepted, 'start', { startedAt: at }) : accepted
    }
    case 'start':
      return move(task, 'start', { startedAt: at })
    case 'arrive':
      return move(task, 'arrive', { arrivalTime: task.arrivalTime ?? at, driverArrived: true, etaAt: null })
    case 'complete':
      return move(task, rules.settings.automaticDriverFlow ? 'completeUnstarted' : 'complete', { completedAt: at })
    case 'fail':
      return move(task, 'fail', { completedAt: at, cancelReason: op.reason ?? task.cancelReason })
    case 'note':
    case 'photo':
    case 'signature':
    case 'scan':
      return { ...task, notes: [...task.notes, noteOf(task, op, noteTypes[op.type], rules)] }
    case 'payment':
      return { ...task, leftToBePaid: Math.max(0, (task.leftToBePaid ?? 0) - (op.amount ?? 0)) }
    case 'form':
      return { ...task, mobileTaskForm: answered(task, op, rules) }
    default:
      return task
  }
}

/** By the table of moves; what it does not allow changes nothing here, and the server says why. */
function move(task: PhoneTask, name: MoveName, also: Partial<PhoneTask>): PhoneTask {
  const decided = decideMove(name, task.statusId)
  if (typeof decided === 'string' || decided.to === 'gone') return task
  const statusId = decided.to === 'same' ? task.statusId : decided.to
  return { ...task, ...also, statusId, status: { id: statusId, name: statuses[statusId].name } }
}

function noteOf(task: PhoneTask, op: OpInput, type: number, { driver }: Rules): PhoneTask['notes'][number] {
  const text = op.note ?? op.name ?? op.code ?? null
  const times = { createdAt: op.occurredAt, updatedAt: op.occurredAt }
  const by = { userId: driver.id, user: { ...driver, avatar: null }, byDriver: true, seenAt: null }
  // Its number is not known yet; a negative one is never the server's.
  return { id: -1 - task.notes.length, taskId: task.id, note: text, image: null, type, ...times, ...by }
}

function answered(task: PhoneTask, op: OpInput, { fieldsOf }: Rules): string | null {
  const before: Answered[] = readAnswers(task.mobileTaskForm)
  return writeAnswers(addAnswers(fieldsOf(task), before, op.answers ?? []))
}

/** The task this one has to wait for, if there is one. */
export const findObstacle = ({ dependencies }: Pick<PhoneTask, 'dependencies'>) =>
  dependencies.find(({ statusId }) => statusId !== Succeeded)
