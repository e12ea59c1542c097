import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { keysOf } from '../../api/data.ts'
import { useMay } from '../../api/session.ts'

/** What drivers wrote and nobody of the office has seen. The server says when that changes; `live` then fetches it again. */
export const useUnseenNotes = () =>
  useQuery({
    queryKey: keysOf.notes,
    queryFn: async () => (await api.listUnseenNotes()).notes,
    staleTime: 60_000,
    enabled: useMay()('tasks:read'),
  }).data
