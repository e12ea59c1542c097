import { pageBytes } from '../../../contract/limits.ts'

/*
 * Tasks in an answer are bounded by their size as well as by their number, and so is what is read at a time. A task is
 * large because of its texts and lists, which are counted roughly.
 */

/** As many may have the largest size there is. */
const first = 100
/** What every task takes, about. */
const ofATask = 3_000
const sizeOfJson = (value: unknown) => (value === null ? 0 : JSON.stringify(value).length)

interface Sized {
  id: number
  details: string
  customer_notes: string | null
  mobile_task_form: string | null
  inventory: unknown
  custom_fields: unknown
  notes: readonly { note: string | null }[]
}

/** What a task takes in an answer without its timeline, about. */
export const sizeOf = ({ details, customer_notes, mobile_task_form, inventory, custom_fields, notes }: Sized) =>
  ofATask +
  details.length +
  (customer_notes?.length ?? 0) +
  (mobile_task_form?.length ?? 0) +
  sizeOfJson(inventory) +
  sizeOfJson(custom_fields) +
  notes.reduce((sum, { note }) => sum + 300 + (note?.length ?? 0), 0)

/**
 * Reads tasks in this order up to the one that exceeds the size of a page, so at least one. Begins with a few, and goes
 * on by the size they had: a thousand of usual size take four reads. `reached` says how many of the ids that was.
 */
export async function readUpToAPage<Item extends { id: number; size: number }>(
  ids: readonly number[],
  read: (ids: number[]) => Promise<Item[]>,
): Promise<{ items: Item[]; reached: number }> {
  const items: Item[] = []
  let bytes = 0
  for (let reached = 0, count = first; ; ) {
    const slice = ids.slice(reached, reached + count)
    for (const item of await read(slice)) {
      items.push(item)
      bytes += item.size
      if (bytes >= pageBytes) return { items, reached: ids.indexOf(item.id) + 1 }
    }
    reached += slice.length
    if (reached >= ids.length) return { items, reached }
    const usual = Math.max(1, bytes / Math.max(1, items.length))
    count = Math.max(1, Math.min(2 * count, Math.ceil((pageBytes - bytes) / usual)))
  }
}
