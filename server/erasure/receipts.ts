import { open } from 'node:fs/promises'
import type { FiledReceipt } from '../backup/receipts.ts'
import type { Service } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { ErasureRow } from './queries.ts'

/*
 * Receipts are also appended to a file outside the database: a backup that is older than an erasure brings back what was
 * erased, and the file says what to erase again (server/backup/receipts). At least once: a line may be there twice.
 */

const atOnce = 200

const lockUnfiled = (db: Db) =>
  db.many<ErasureRow & { finished_at: Date }>(sql`
    select * from erasures where filed_at is null and finished_at is not null
    order by id
    limit ${atOnce}
    for update skip locked`)

const markFiled = (db: Db, ids: number[]) =>
  db.run(sql`update erasures set filed_at = now() where id = any(${ids}::bigint[])`)

const presentFiled = (row: ErasureRow & { finished_at: Date }): FiledReceipt => ({
  receipt: row.receipt,
  organisationId: row.organisation_id,
  reason: row.reason,
  actor: { type: row.actor_type, id: row.actor_id },
  hours: row.hours,
  driverId: row.driver_id,
  taskIds: row.task_ids,
  counts: row.counts,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at.toISOString(),
})

/** Writes the receipts that are not in the file yet. */
export async function fileReceipts({ config, database }: Pick<Service, 'config' | 'database'>) {
  for (let filed = atOnce; filed === atOnce; )
    filed = await database.everyone.transaction(async (db) => {
      const rows = await lockUnfiled(db)
      if (rows.length === 0) return 0
      await append(config.receipts, rows.map((row) => `${JSON.stringify(presentFiled(row))}\n`).join(''))
      await markFiled(
        db,
        rows.map(({ id }) => id),
      )
      return rows.length
    })
}

/** On the disk when it resolves. */
async function append(path: string, text: string) {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    // A crash may have cut off the last line: it is written again, whole, as a line of its own.
    const isCutOff = size > 0 && buffer.toString() !== '\n'
    await file.appendFile(isCutOff ? `\n${text}` : text)
    await file.sync()
  } finally {
    await file.close()
  }
}
