import { useState } from 'react'
import { columns } from './columns.tsx'

/** How somebody has arranged the table, kept in their browser. */
export interface Layout {
  visibility: Record<string, boolean>
  sizing: Record<string, number>
  sorting: { id: string; desc: boolean }[]
}

const name = 'waybill.table'
export const usualLayout: Layout = {
  visibility: Object.fromEntries(columns.map(({ id, extra }) => [id, !extra])),
  sizing: {},
  sorting: [],
}

/** What is stored may be of an older version, or nonsense; columns that are not there are dropped. */
export function readLayout(stored: string | null): Layout {
  try {
    const { visibility, sizing, sorting } = JSON.parse(stored ?? '{}') as Partial<Layout>
    const known = new Set(columns.map(({ id }) => id))
    const pick = <Value>(given: Record<string, Value> = {}) =>
      Object.fromEntries(Object.entries(given).filter(([id]) => known.has(id)))
    return {
      visibility: { ...usualLayout.visibility, ...pick(visibility) },
      sizing: pick(sizing),
      sorting: Array.isArray(sorting) ? sorting.filter(({ id }) => known.has(id)) : [],
    }
  } catch {
    return usualLayout
  }
}

const stored = () => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function useLayout() {
  const [layout, setLayout] = useState(() => readLayout(stored()))
  const arrange = (change: (before: Layout) => Layout) =>
    setLayout((before) => {
      const next = change(before)
      try {
        localStorage.setItem(name, JSON.stringify(next))
      } catch {
        // A browser that stores nothing still shows it for now.
      }
      return next
    })
  return { layout, arrange }
}
