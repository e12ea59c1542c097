import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PersonalDataQuery } from '../../contract/erasure.ts'
import { recordReading } from '../audit/exports.ts'
import { paddingOf, tarBlock, tarHeader } from '../backup/tar.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { FileRow } from '../files/queries.ts'
import type { Download } from '../http/answers/download.ts'
import { isAnyOptedOut } from '../messages/queries.ts'
import type { Organisation } from '../organisations/queries.ts'
import { listNaming } from '../schedules/naming.ts'
import { amountOfLine } from '../tasks/money.ts'
import { readUpToAPage, sizeOf } from '../tasks/read/slices.ts'
import { presentTasks } from '../tasks/read/timeline.ts'
import { viewTasks } from '../tasks/read/view.ts'
import type { CustomerRow, PaymentRow } from '../tasks/tables.ts'
import { requireOne, soughtIn } from './actions.ts'
import { customersLike, findTasksOf, type Person } from './queries.ts'

/* What is kept about a customer, for the customer: one file with JSON and the pictures. Written to the disk, piece by piece. */

const listCustomers = (db: Db, organisationId: number, person: Person) =>
  db.many<CustomerRow>(sql`
    select * from customers where organisation_id = ${organisationId} and id in (${customersLike(organisationId, person)})
    order by id`)

const listPayments = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<PaymentRow>(sql`
    select * from payments where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) order by id`)

const presentLine = ({ amount, amount_hundredths, ...line }: PaymentRow) => ({
  ...line,
  amount: amountOfLine({ amount, amount_hundredths }),
})

const listMessages = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<object>(sql`
    select task_id as "taskId", cause, channel, recipient, subject, body, state, created_at as "createdAt"
    from messages where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) order by id`)

const listPictures = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<FileRow>(sql`
    select * from files
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) and store_key is not null
    order by id`)

export async function downloadPersonalData(
  context: Context,
  organisation: Organisation,
  query: PersonalDataQuery,
): Promise<Download> {
  requireOne(query, ['phone', 'email'])
  const person = soughtIn(query, organisation) as Person
  await recordReading(context, organisation.id, [{ kind: 'data.exported' }])
  return {
    type: 'application/x-tar',
    name: 'personal-data.tar',
    etag: `"${randomUUID()}"`,
    isSaved: true,
    async read() {
      const path = join(tmpdir(), `waybill-${randomUUID()}`)
      try {
        await write(path, context, organisation, person)
        const file = await open(path)
        return { file, bytes: (await file.stat()).size }
      } finally {
        // Without a name the bytes go with their reader.
        await rm(path, { force: true })
      }
    },
  }
}

async function write(path: string, context: Context, organisation: Organisation, person: Person) {
  const file = await open(path, 'wx', 0o600)
  try {
    await writeAll(file, context, organisation, person)
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, { db, files, clock }: Context, organisation: Organisation, person: Person) {
  const now = clock.now()
  const add = async (path: string, bytes: Buffer) => {
    await file.appendFile(tarHeader(path, bytes.length, now))
    await file.appendFile(bytes)
    await file.appendFile(Buffer.alloc(paddingOf(bytes.length)))
  }
  const addJson = (path: string, value: unknown) => add(path, Buffer.from(`${JSON.stringify(value, null, 2)}\n`))

  const customers = await listCustomers(db, organisation.id, person)
  const addresses = 'email' in person ? [person.email] : [person.phone]
  const wantsNoMessages = await isAnyOptedOut(db, organisation.id, addresses)
  await addJson('customer.json', { askedFor: person, writtenAt: now, wantsNoMessages, customers })
  const regular = await listNaming(db, organisation, person)
  if (regular.length > 0) await addJson('regular-work.json', regular)
  let ids = (await findTasksOf(db, organisation.id, person)).map(({ id }) => id)
  for (let part = 1; ids.length > 0; part += 1) {
    const { items, reached } = await readUpToAPage(ids, async (some) =>
      (await viewTasks(db, organisation.id, some)).map((view) => ({ id: view.id, view, size: sizeOf(view) })),
    )
    const some = ids.slice(0, reached)
    ids = ids.slice(reached)
    const views = items.map(({ view }) => view)
    const tasks = await presentTasks(db, organisation, views, now)
    const payments = (await listPayments(db, organisation.id, some)).map(presentLine)
    const messages = await listMessages(db, organisation.id, some)
    await addJson(`tasks-${part}.json`, { tasks, payments, messages })
    for (const { id, store_key, type } of await listPictures(db, organisation.id, some)) {
      const bytes = await files.get(store_key as string)
      if (bytes) await add(`pictures/${id}.${type === 'image/png' ? 'png' : 'jpg'}`, bytes)
    }
  }
  await file.appendFile(Buffer.alloc(2 * tarBlock))
}
