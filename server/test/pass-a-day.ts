import { connectAsOwner } from '../db/migrate.ts'
import type { TestServer } from './server.ts'

/*
 * A day passes by moving everything that an organisation has stored a day into the past. Lines of cash can be moved by nobody but the owner
 * of the database. What is being sent, and who is signed in, stays: processes hold leases on it.
 */

/** Nobody may change them, not even their owner, who can give themselves the right to. */
const onlyAdded = 'cash_lines, cash_close_outs'

const unmoved = [
  'deliveries',
  'dead_deliveries',
  'attempts',
  'receivers',
  'webhooks',
  'push_subscriptions',
  'sessions',
  'driver_tokens',
  'keys',
  'kept_answers',
  'known_callers',
  'files',
  'audit_log',
]
const days = ['day', 'of_day', 'from_day', 'until_day', 'to_day']

interface Column {
  table: string
  column: string
  type: string
}

/** Dates go by way of another century, or one day would meet the next. */
const far = 36_524

function moves(columns: readonly Column[]): string[] {
  const byTable = Map.groupBy(columns, ({ table }) => table)
  return [...byTable].flatMap(([table, all]) => {
    const dates = all.filter(({ type }) => type === 'text')
    const move = (by: number, some: readonly Column[]) => {
      const set = some.map(({ column, type }) =>
        type === 'text'
          ? `${column} = to_char(${column}::date + (${by}), 'YYYY-MM-DD')`
          : `${column} = ${column} + interval '${by} days'`,
      )
      return `update ${table} set ${set.join(', ')} where ${table === 'organisations' ? 'id' : 'organisation_id'} = $1`
    }
    return dates.length > 0 ? [move(-far - 1, all), move(far, all)] : [move(-1, all)]
  })
}

export async function openCalendar({ config, organisationId }: TestServer) {
  const owner = await connectAsOwner(config.databaseUrl as string, 'calendar')
  const { rows } = await owner.query<Column>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
      and not a.attisdropped and a.attgenerated = ''
      and (a.atttypid = 'timestamptz'::regtype or a.atttypid = 'text'::regtype and a.attname = any($1))
      and (c.relname = 'organisations' or exists (
        select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organisation_id'))
      and c.relname <> all($2)
    order by 1, 2`,
    [days, unmoved],
  )
  const statements = moves(rows)
  async function change(statements: readonly string[]) {
    await owner.query(`begin; grant update on ${onlyAdded} to current_user`)
    for (const statement of statements) await owner.query(statement, [organisationId])
    await owner.query(`revoke update on ${onlyAdded} from current_user; commit`)
  }
  return {
    passADay: () => change(statements),
    /** For faults that are planted: what nobody can do. `$1` is the organisation. */
    spoil: (statement: string) => change([statement]),
    close: () => owner.end(),
  }
}
