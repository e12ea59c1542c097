import { useState } from 'react'
import { columns } from './columns.tsx'
import { type Layout, readLayout, usualOf } from './layout.ts'

const name = 'waybill.table'
export const usualLayout = usualOf(columns)

const stored = () => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function useLayout() {
  const [layout, setLayout] = useState(() => readLayout(stored(), columns))
  const arrange = (change: (before: Layout) => Layout) =>
    setLayout((before) => {
      const next = change(before)
      try {
        localStorage.setItem(name, JSON.stringify(next))
      } catch {
        // If the browser cannot store it, it applies until the page is closed.
      }
      return next
    })
  return { layout, arrange }
}
