/** How a person has arranged the table, stored in their browser. */
export interface Layout {
  visibility: Record<string, boolean>
  sizing: Record<string, number>
  sorting: { id: string; desc: boolean }[]
}

interface Known {
  id: string
  extra?: true
}

/** The columns the organisation has chosen, if it has, else the default ones. */
export const usualOf = (columns: readonly Known[], chosen?: readonly string[]): Layout => ({
  visibility: Object.fromEntries(columns.map(({ id, extra }) => [id, chosen ? chosen.includes(id) : !extra])),
  sizing: {},
  sorting: [],
})

/** The stored layout may be old or invalid; unknown columns are dropped. */
export function readLayout(stored: string | null, columns: readonly Known[], chosen?: readonly string[]): Layout {
  const usual = usualOf(columns, chosen)
  try {
    const { visibility, sizing, sorting } = JSON.parse(stored ?? '{}') as Partial<Layout>
    const known = new Set(columns.map(({ id }) => id))
    const pick = <Value>(given: Record<string, Value> = {}) =>
      Object.fromEntries(Object.entries(given).filter(([id]) => known.has(id)))
    return {
      visibility: { ...usual.visibility, ...pick(visibility) },
      sizing: pick(sizing),
      sorting: Array.isArray(sorting) ? sorting.filter(({ id }) => known.has(id)) : [],
    }
  } catch {
    return usual
  }
}
