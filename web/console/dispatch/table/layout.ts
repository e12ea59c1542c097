/** How the table is arranged. */
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

/**
 * What a person has chosen, as it is stored in their browser: only the columns they want otherwise, so that one which the
 * organisation changes later changes for them, too.
 */
export function ownOf(layout: Layout, usual: Layout): Layout {
  const own = Object.entries(layout.visibility).filter(([id, visible]) => visible !== usual.visibility[id])
  return { ...layout, visibility: Object.fromEntries(own) }
}

/** Whether a person sees other columns than those they began with. */
export const hasOwnColumns = (layout: Layout, usual: Layout) => Object.keys(ownOf(layout, usual).visibility).length > 0

/** Their own widths and order stay: only the columns are everybody's. */
export const shownIn = ({ visibility }: Layout) => Object.keys(visibility).filter((id) => visibility[id])
