import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'

export const useTemplates = () =>
  useQuery({
    queryKey: keysOf.templates,
    queryFn: async () => (await api.listTemplates()).templates,
    staleTime: 60_000,
  })
