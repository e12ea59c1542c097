import { TriangleAlert } from 'lucide-react'
import { reachOf } from '../../../core/web-address.ts'
import { useCompany } from '../../api/data.ts'
import { useSay } from '../../words/console.ts'

/** The address of this server for others: as the operator set it, or as this browser reaches it. */
export const useOwnAddress = () => useCompany().data?.publicUrl ?? location.origin

/** Who cannot open a link that was made for others. A private address may be meant so, if somebody has set it. */
function useLimit(link: string) {
  const { data: company } = useCompany()
  const reach = reachOf(link)
  return !company || reach === 'everyone' || (reach === 'network' && company.publicUrl) ? undefined : reach
}

/** Says that a link opens only here, and what to set so that it opens elsewhere. */
export function LinkReach({ link }: { link: string }) {
  const say = useSay()
  const reach = useLimit(link)
  if (!reach) return null
  return (
    <p className="flex w-full gap-2 rounded-md bg-waiting-soft px-2.5 py-1.5 text-waiting">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{say(reach === 'machine' ? 'linkOnlyHere' : 'linkOnlyInNetwork')}</span>
    </p>
  )
}

/** The same in few words, with the rest when it is opened: for a link that is one fact among many. */
export function BriefReach({ link }: { link: string }) {
  const say = useSay()
  const reach = useLimit(link)
  if (!reach) return null
  return (
    <details className="text-xs">
      <summary className="cursor-pointer text-waiting">
        {say(reach === 'machine' ? 'onlyHere' : 'onlyInNetwork')}
      </summary>
      <p className="mt-1 text-ink-soft">{say(reach === 'machine' ? 'linkOnlyHere' : 'linkOnlyInNetwork')}</p>
    </details>
  )
}
