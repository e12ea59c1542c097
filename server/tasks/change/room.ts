import { Refusal } from '../../../contract/errors.ts'
import { taskHolds } from '../../../contract/limits.ts'
import { noteTypes } from '../../../core/note-type.ts'
import type { TaskView } from '../tables.ts'

/* What a task can hold is bounded, or one driver could make it too large to be read. The numbers: contract/limits. */

const kinds = {
  [noteTypes.photo]: 'photos',
  [noteTypes.signature]: 'signatures',
  [noteTypes.scan]: 'scans',
} as const
const kindOf = (type: number) => (type in kinds ? kinds[type as keyof typeof kinds] : 'notes')

const full = (message: string) => new Refusal('TASK_FULL', { message })

/** Room for one more note of this type, with this text. */
export function requireRoomForNote({ notes }: Pick<TaskView, 'notes'>, type: number, text: string | null) {
  const kind = kindOf(type)
  const most = taskHolds[kind]
  if (notes.filter((note) => kindOf(note.type) === kind).length >= most)
    throw full(`The task has ${most} ${kind}, which is the most it can hold`)
  const characters = notes.reduce((sum, { note }) => sum + (note?.length ?? 0), text?.length ?? 0)
  if (characters > taskHolds.noteCharacters)
    throw full(`All notes of a task together can have ${taskHolds.noteCharacters} characters`)
}

export function requireRoomForAnswers(mobileTaskForm: string | null) {
  if ((mobileTaskForm?.length ?? 0) > taskHolds.answerCharacters)
    throw full(`All answers of a task together can have ${taskHolds.answerCharacters} characters`)
}

export const hasRoomInTimeline = ({ last_sequence }: Pick<TaskView, 'last_sequence'>) =>
  last_sequence < taskHolds.timelineEntries

/** Room for an entry that a driver can cause any number of times. */
export function requireRoomInTimeline(task: Pick<TaskView, 'last_sequence'>) {
  if (!hasRoomInTimeline(task))
    throw full(
      `The timeline of the task has ${taskHolds.timelineEntries} entries, which is the most a driver can add to`,
    )
}
