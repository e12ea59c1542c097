import { readAnswers } from '../../core/form.ts'
import type { Db } from '../db/db.ts'
import { type FormRow, listForms } from '../forms/queries.ts'
import type { Organisation } from '../organisations/queries.ts'
import { viewTasks } from '../tasks/read/view.ts'
import type { TaskView } from '../tasks/tables.ts'
import { type Ending, listEndings, listPicturesOf, type PaidBy, type StoredPicture, sumPaid } from './queries.ts'

/** A task with everything its proof shows. */
export interface ProofSource {
  task: TaskView
  ending: Ending | undefined
  paid: PaidBy[]
  forms: FormRow[]
  pictures: Map<string, StoredPicture>
}

/** In the order of the given ids, without those that do not exist or were erased. */
export async function readProofs(db: Db, { id }: Organisation, taskIds: number[]): Promise<ProofSource[]> {
  const [tasks, endings, paid, pictures] = await Promise.all([
    viewTasks(db, id, taskIds),
    listEndings(db, id, taskIds),
    sumPaid(db, id, taskIds),
    listPicturesOf(db, id, taskIds),
  ])
  const left = tasks.filter(({ erased_at }) => erased_at === null)
  const hasAnswers = left.some(({ mobile_task_form }) => readAnswers(mobile_task_form).length > 0)
  const forms = hasAnswers ? await listForms(db, id) : []
  const byId = new Map(pictures.map((picture) => [picture.id, picture]))
  return left.map((task) => ({
    task,
    ending: endings.find(({ task_id }) => task_id === task.id),
    paid: paid.filter(({ task_id }) => task_id === task.id),
    forms,
    pictures: byId,
  }))
}
