import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

const awaited = new WeakSet<Query>()

/**
 * Fetches these queries again. What is on its way for the first time may be older than the reason to ask, but would be
 * taken for the answer: it is fetched once more when it has come.
 */
export function fetchAgain(client: QueryClient, filters: QueryFilters) {
  for (const query of client.getQueryCache().findAll(filters)) {
    const { data, fetchStatus } = query.state
    if (data !== undefined || fetchStatus === 'idle' || awaited.has(query)) continue
    awaited.add(query)
    const isHere = query.fetch()
    void isHere
      .finally(() => awaited.delete(query))
      .then(
        () => client.invalidateQueries({ queryKey: query.queryKey, exact: true }),
        () => {},
      )
  }
  void client.invalidateQueries(filters)
}
