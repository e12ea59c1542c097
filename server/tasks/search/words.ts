import { callingCodeOf } from '../../../core/phone.ts'
import { wordsOf } from '../../../core/search.ts'
import type { Db } from '../../db/db.ts'
import { keyList, sql } from '../../db/sql.ts'
import { type Row, table, unnest } from '../../db/table.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { phoneOf } from '../customers/customers.ts'
import { shownPart } from '../parts.ts'
import type { TaskView } from '../tables.ts'

/* What tasks are found by. It is written with the task, in the same transaction. */

export const taskWords = table('task_words', { organisation_id: 'bigint', task_id: 'bigint', word: 'text' })

/** The parts of a task that words are taken from. */
export type Worded = Pick<TaskView, 'id' | 'awb' | 'details' | 'address' | 'customer' | 'chain_awbs' | 'earlier_awbs'>

const listWords = ({ awb, details, address, customer, chain_awbs, earlier_awbs }: Worded, callingCode: string) =>
  wordsOf(
    {
      awb,
      phone: customer ? phoneOf(customer) : '',
      address: address.address,
      texts: [
        customer?.name,
        ...(['area', 'city', 'streetName', 'streetNumber', 'postalCode'] as const).map((part) =>
          shownPart(address, part),
        ),
        address.address_second_line,
        details,
        // What partners call it.
        ...(chain_awbs ?? []),
        // What its label may still say.
        ...(earlier_awbs ?? []),
      ],
    },
    callingCode,
  )

/** The words of each task on a line each: fifteen times fewer values to send than words. */
const given = { name: 'given', columns: { task_id: 'bigint', words: 'text' } } as const

const insertWords = (db: Db, organisationId: number, rows: Row<typeof given>[]) =>
  db.run(sql`
    insert into task_words (organisation_id, task_id, word)
    select ${organisationId}, given.task_id, word
    from ${unnest(given, ['task_id', 'words'], rows)}
    cross join lateral unnest(string_to_array(given.words, E'\\n')) as word`)

export const deleteWords = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`
    delete from task_words
    where organisation_id = ${organisationId} and task_id = any(${keyList(taskIds)}::bigint[])`)

type Home = Pick<Organisation, 'id' | 'country'>

/** The words of tasks that have none yet. */
export async function addWords(db: Db, { id, country }: Home, tasks: readonly Worded[]) {
  const callingCode = callingCodeOf(country)
  const rows = tasks.map((task) => ({ task_id: task.id, words: listWords(task, callingCode).join('\n') }))
  const some = rows.filter(({ words }) => words !== '')
  if (some.length > 0) await insertWords(db, id, some)
}

/** The words of changed tasks, where they are others than before. */
export async function changeWords(
  db: Db,
  organisation: Home,
  changes: readonly { before: Worded; after: Worded & Pick<TaskView, 'deleted_at'> }[],
) {
  const callingCode = callingCodeOf(organisation.country)
  const lineOf = (task: Worded) => listWords(task, callingCode).join('\n')
  const changed = changes.filter(({ before, after }) => after.deleted_at !== null || lineOf(before) !== lineOf(after))
  if (changed.length === 0) return
  await deleteWords(
    db,
    organisation.id,
    changed.map(({ before }) => before.id),
  )
  await addWords(
    db,
    organisation,
    changed.flatMap(({ after }) => (after.deleted_at === null ? after : [])),
  )
}
