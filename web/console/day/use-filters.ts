import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Filters, readFilters } from './filters.ts'

/** The filters, and a function to change some of them: `undefined` removes one. */
export function useFilters() {
  const filters: Filters = useSearch({ from: '/signed-in/' })
  const navigate = useNavigate({ from: '/' })
  const change = (changed: { [Name in keyof Filters]?: Filters[Name] | undefined }, replace = true) =>
    void navigate({ search: (before) => readFilters({ ...before, ...changed }), replace })
  return { filters, change }
}
