import { Refusal } from '../../contract/errors.ts'
import { longest, mostInstructions } from '../../contract/limits.ts'
import type { InstructionsInput } from '../../contract/tracking.ts'
import { commitWithEvents } from '../events/record.ts'
import { changeTasks } from '../tasks/change/change.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import { takesInstructions } from './present.ts'
import type { Tracked } from './tracked.ts'

/** Adds to what the driver reads, until they are there. The same text again, as after a lost answer, is added once. */
export async function leaveInstructions({ id, organisation, context }: Tracked, { text }: InstructionsInput) {
  await commitWithEvents(context, async (db) => {
    const [task] = await lockTasks(db, organisation.id, [id])
    if (!task) throw new Refusal('TASK_NOT_FOUND')
    if (!takesInstructions(task)) throw new Refusal('INSTRUCTIONS_CLOSED')
    const added = text.trim()
    const given = task.instructions ?? []
    if (given.includes(added)) return
    const notes = [task.customer_notes, added].filter(Boolean).join('\n')
    if (notes.length > longest.text || given.length >= mostInstructions)
      throw new Refusal('VALIDATION_FAILED', { field: 'text', message: 'There are too many instructions already' })
    const set = { customer_notes: notes, instructions: [...given, added] }
    const now = context.clock.now()
    await changeTasks(context, db, organisation, [{ before: task, set, fires: ['TASK_UPDATED'] }], now)
  })
}
