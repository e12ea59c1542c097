import type { FormField } from '../../../core/form.ts'
import type { Db } from '../../db/db.ts'
import type { Happened } from '../../events/record.ts'
import { type Shared, shareDriversFile } from '../../files/claims.ts'
import { findFormOf } from '../../forms/queries.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { listReasonsCalled, type ReasonRow } from '../../reasons/queries.ts'
import { openPayment } from '../../tasks/change/payments.ts'
import type { TaskView } from '../../tasks/tables.ts'

/** A driver, a locked task, and when and where the driver did something to it. */
export interface Scene {
  db: Db
  organisation: Organisation
  driverId: number
  task: TaskView
  happened: Happened
  /** The driver's open tasks, locked, if one of them may start by itself. */
  route: TaskView[]
  look: Look
}

/** What an op looks up besides its task. */
export interface Look {
  /** What is asked for a task. */
  fieldsOf(task: Pick<TaskView, 'form_id'>): Promise<readonly FormField[]>
  /** The reasons that have or had this code. */
  reasonsCalled(code: string): Promise<readonly ReasonRow[]>
  /** A picture for a task. */
  share(fileId: string, driverId: number, taskId: number): Promise<Shared>
  /** The number of the next payment, and what was paid for the task before. */
  openPayment(taskId: number): Promise<{ id: number; paid: number }>
}

/** The same from the database, for who does one thing. */
export const lookInto = (db: Db, organisationId: number): Look => ({
  fieldsOf: async ({ form_id }) => (await findFormOf(db, organisationId, form_id))?.fields ?? [],
  reasonsCalled: (code) => listReasonsCalled(db, organisationId, [code]),
  share: (fileId, driverId, taskId) => shareDriversFile(db, organisationId, fileId, driverId, taskId),
  openPayment: (taskId) => openPayment(db, organisationId, taskId),
})
