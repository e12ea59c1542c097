/** The columns of the console's table of tasks; those marked are hidden unless somebody wants them. */
export const tableColumns = {
  state: {},
  awb: {},
  address: {},
  customer: {},
  phone: { isExtra: true },
  window: {},
  driver: {},
  team: { isExtra: true },
  eta: {},
  cash: {},
  priority: {},
  created: { isExtra: true },
} as const satisfies Record<string, { isExtra?: true }>

export type TableColumn = keyof typeof tableColumns
export const tableColumnNames = Object.keys(tableColumns) as TableColumn[]

export const usualColumns: readonly TableColumn[] = tableColumnNames.filter(
  (name) => !('isExtra' in tableColumns[name]),
)

/**
 * The columns an organisation has chosen, from any JSON: a list of names, or of objects with the name as `key`. What is
 * unknown is left out, and a list of which nothing is left chooses nothing: undefined, as if it were not there.
 */
export function readColumns(value: unknown): TableColumn[] | undefined {
  if (!Array.isArray(value)) return undefined
  const named = new Set(
    value.map((one) => (typeof one === 'object' && one !== null ? (one as { key?: unknown }).key : one)),
  )
  const known = tableColumnNames.filter((name) => named.has(name))
  return known.length === 0 ? undefined : known
}

/** As it is stored; null if it is what everybody has. */
export const writeColumns = (chosen: readonly TableColumn[]): { key: TableColumn }[] | null =>
  chosen.length === 0 || (chosen.length === usualColumns.length && usualColumns.every((name) => chosen.includes(name)))
    ? null
    : tableColumnNames.filter((name) => chosen.includes(name)).map((key) => ({ key }))
