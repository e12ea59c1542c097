import { useQuery } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { forgetImport, listUnfinished } from './kept.ts'
import { ownerOf } from './owner.ts'
import { useSay } from './words.ts'

/** Offers to continue an import that was interrupted while it was being sent. */
export default function ImportOffer({ onGoOn }: { onGoOn: (id: string) => void }) {
  const say = useSay()
  const owner = ownerOf(useSession())
  const [isGone, setGone] = useState(false)
  const { data } = useQuery({
    queryKey: ['unfinished imports', owner],
    queryFn: () => listUnfinished(owner),
    gcTime: 0,
  })
  const found = data?.find(({ phase, sent, toSend }) => phase === 'sending' && sent < toSend)
  if (!found || isGone) return null
  const { id, fileName, sent, toSend } = found
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 bg-waiting-soft px-4 py-1.5 text-waiting">
      <FileSpreadsheet aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 grow">{say('importOffer', { file: fileName, done: sent, n: toSend })}</span>
      <Button onClick={() => onGoOn(id)}>{say('importGoOn')}</Button>
      <Button
        onClick={() => {
          setGone(true)
          void forgetImport(id)
        }}
      >
        {say('importDiscard')}
      </Button>
    </div>
  )
}
