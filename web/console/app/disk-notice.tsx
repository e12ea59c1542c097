import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { useSay } from '../../words/console.ts'

const askEveryMs = 30_000

/** Reading still works with a full disk, so without this the first refused change would be the first sign. */
export function DiskNotice() {
  const say = useSay()
  const { person } = useSession()
  const { data: isFull } = useQuery({
    queryKey: ['ready'],
    queryFn: () => fetch('/ready').then(async (answer) => (await answer.json()).code === 'DISK_FULL'),
    enabled: person.role === 'admin',
    refetchInterval: askEveryMs,
    retry: false,
  })
  if (!isFull) return null
  return (
    <p role="alert" className="bg-bad-soft px-4 py-2 text-bad">
      {say('DISK_FULL')}
    </p>
  )
}
