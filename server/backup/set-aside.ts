import pg from 'pg'

/* Indexes are built faster from a full table than row by row, and references are checked faster all at once. */

interface Aside {
  takeAway: string
  putBack: string
}

const q = pg.escapeIdentifier

/**
 * Removes what slows down or prevents loading: references, indexes that enforce nothing, and the owner's row-level
 * security, which `copy` does not support. The same transaction must put it back.
 */
export async function setAside(client: pg.Client) {
  const aside = [...(await findIndexes(client)), ...(await findReferences(client)), ...(await findForced(client))]
  for (const { takeAway } of aside) await client.query(takeAway)
  return {
    async putBack(tell: (doing: string) => void) {
      for (const { putBack } of aside) {
        tell(putBack.split(' ').slice(0, 3).join(' ').toLowerCase())
        await client.query(putBack)
      }
    },
  }
}

async function findForced(client: pg.Client): Promise<Aside[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class
    where relforcerowsecurity and relnamespace = 'public'::regnamespace`)
  return rows.map(({ name }) => ({
    takeAway: `alter table ${q(name)} no force row level security`,
    putBack: `alter table ${q(name)} force row level security`,
  }))
}

async function findReferences(client: pg.Client): Promise<Aside[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`)
  return rows.map(({ table, name, definition }) => ({
    takeAway: `alter table ${table} drop constraint ${q(name)}`,
    putBack: `alter table ${table} add constraint ${q(name)} ${definition}`,
  }))
}

/** Indexes of constraints stay, and so do those of partitioned tables, whose partitions have their own. */
async function findIndexes(client: pg.Client): Promise<Aside[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select c.relname::text as name, pg_get_indexdef(c.oid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indexrelid and c.relkind = 'i' and not c.relispartition
    where c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint k where k.conindid = c.oid)`)
  return rows.map(({ name, definition }) => ({ takeAway: `drop index ${q(name)}`, putBack: definition }))
}
