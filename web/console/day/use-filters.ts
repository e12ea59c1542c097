import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Filters, readFilters } from './filters.ts'

/** The filters, and how to change some of them: `undefined` takes one away. */
export function useFilters() {
  const filters: Filters = useSearch({ from: '/signed-in/' })
  const navigate = useNavigate({ from: '/' })
  const change = (changed: { [Name in keyof Filters]?: Filters[Name] | undefined }, replace = true) =>
    void navigate({ search: (before) => readFilters({ ...before, ...changed }), replace })
  return { filters, change }
}
