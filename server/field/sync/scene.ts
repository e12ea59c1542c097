import type { Db } from '../../db/db.ts'
import type { Happened } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
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
}
