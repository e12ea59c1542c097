import { useQuery } from '@tanstack/react-query'

/** Whether the server has said that the session is over. */
export const useEnded = () =>
  useQuery({
    queryKey: ['session', 'ended'],
    queryFn: () => false,
    initialData: false,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
