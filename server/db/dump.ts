import type { Db } from './db.ts'
import { sql } from './sql.ts'

/** The schema as text, from the catalogue: a review sees what a migration really did as a diff of `schema.sql`. */
export async function dumpSchema(db: Db): Promise<string> {
  const tables = await db.many<{ name: string; lines: string[] }>(sql`
    select c.relname as name, array(
      select format('  %s %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attidentity <> '' then ' generated as identity' else '' end,
        case when a.attnotnull then ' not null' else '' end,
        coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''))
      from pg_attribute a
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      order by a.attnum
    ) || array(
      select format('  %s', pg_get_constraintdef(k.oid)) from pg_constraint k
      where k.conrelid = c.oid and k.contype <> 'n'
      order by k.contype <> 'p', k.contype, k.conname
    ) as lines
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by c.relname`)

  const rest = await db.many<{ line: string }>(sql`
    select pg_get_indexdef(i.indexrelid) as line
    from pg_index i
    join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace and not c.relispartition
    where not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    union all
    select format('policy %s on %s using %s', p.polname, c.relname, pg_get_expr(p.polqual, p.polrelid))
    from pg_policy p
    join pg_class c on c.oid = p.polrelid
    order by line`)

  const created = tables.map(({ name, lines }) => `table ${name} (\n${lines.join(',\n')}\n)\n`)
  return `${created.join('\n')}\n${rest.map(({ line }) => line).join('\n')}\n`
}
