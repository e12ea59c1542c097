import type { ErrorDetail } from '../../../contract/errors.ts'
import { fileIdIn, filePath } from '../../../contract/file.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import {
  addAnswers,
  type FormField,
  findProblems,
  type GivenAnswer,
  isPhoto,
  readAnswers,
  writeAnswers,
} from '../../../core/form.ts'
import type { Db } from '../../db/db.ts'
import { claimDriversFile } from '../../files/claims.ts'
import type { TaskChange } from '../../tasks/change/change.ts'
import { requireRoomForAnswers } from '../../tasks/change/room.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { wasChangedByOthers } from './queries.ts'
import type { Look } from './scene.ts'

/* What a driver writes into the form of a task. */

interface Place {
  db: Db
  organisation: { id: number }
  driverId: number
  task: TaskView
  look: Look
}

/** The answers fit the form, unless the task has been given another one since. */
export async function requireFittingAnswers(
  { db, organisation, driverId, task, happened, look }: Place & { happened: { at: Date } },
  answers: readonly GivenAnswer[],
) {
  const problems = findProblems(await look.fieldsOf(task), answers)
  if (problems.length === 0 || (await wasChangedByOthers(db, organisation.id, driverId, task.id, happened.at))) return
  throw refusalOf(
    problems.map(({ at, name, message }): ErrorDetail => {
      return { field: `answers.${at}.${name}`, code: 'VALIDATION_FAILED', message }
    }),
  )
}

/** Writes the answers to the task, with those to the same fields replaced. Nothing changes if they were there before. */
export async function keepAnswers(place: Place, answers: readonly GivenAnswer[]): Promise<TaskChange[]> {
  const { task, look } = place
  const fields = await look.fieldsOf(task)
  const before = readAnswers(task.mobile_task_form)
  requireRoomForAnswers(writeAnswers(addAnswers(fields, before, answers)))
  const shown = await claimPhotos(place, fields, answers)
  const mobileTaskForm = writeAnswers(addAnswers(fields, before, shown))
  if (mobileTaskForm === task.mobile_task_form) return []
  return [{ before: task, set: { mobile_task_form: mobileTaskForm }, fires: ['TASK_UPDATED'] }]
}

/** The pictures of answers that wait for the office belong to the task already. */
export async function claimPhotosOf(
  { db, organisation, driverId }: Omit<Place, 'task' | 'look'>,
  taskId: number,
  answers: readonly GivenAnswer[],
) {
  await claimPhotos({ db, organisation, driverId, task: { id: taskId } }, [], answers)
}

/** The files that answers name. */
export const photosIn = (answers: readonly GivenAnswer[]) =>
  answers.filter((given) => isPhoto([], given)).map(({ answer }) => fileIdIn(answer as string))

/** The answers with paths to their pictures, which may still be on their way. */
async function claimPhotos(
  { db, organisation, driverId, task }: Omit<Place, 'task' | 'look'> & { task: { id: number } },
  fields: readonly FormField[],
  answers: readonly GivenAnswer[],
): Promise<GivenAnswer[]> {
  const shown: GivenAnswer[] = []
  for (const given of answers) {
    if (!isPhoto(fields, given)) {
      shown.push(given)
      continue
    }
    const { id } = await claimDriversFile(db, organisation.id, fileIdIn(given.answer as string), driverId, task.id)
    shown.push({ ...given, answer: filePath(id) })
  }
  return shown
}
