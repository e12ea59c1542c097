import { TriangleAlert } from 'lucide-react'
import { reachOf } from '../../../core/web-address.ts'
import { useCompany } from '../../api/data.ts'
import { useSay } from '../../words/console.ts'

/** The address of this server for others: as the operator set it, or as this browser reaches it. */
export const useOwnAddress = () => useCompany().data?.publicUrl ?? location.origin

/** Says that a link opens only here, and what to set so that it opens elsewhere. A private address may be meant so. */
export function LinkReach({ link }: { link: string }) {
  const say = useSay()
  const { data: company } = useCompany()
  const reach = reachOf(link)
  if (!company || reach === 'everyone' || (reach === 'network' && company.publicUrl)) return null
  return (
    <p className="flex w-full gap-2 rounded-md bg-waiting-soft px-2.5 py-1.5 text-waiting">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{say(reach === 'machine' ? 'linkOnlyHere' : 'linkOnlyInNetwork')}</span>
    </p>
  )
}
