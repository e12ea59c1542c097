import { TriangleAlert } from 'lucide-react'
import { type Reach, reachOf } from '../../../core/web-address.ts'
import { useCompany } from '../../api/data.ts'
import { useSay } from '../../words/console.ts'

/** The address of this server for others: as the operator set it, or as this browser reaches it. */
export const useOwnAddress = () => useCompany().data?.publicUrl ?? location.origin

type Limit = Exclude<Reach, 'everyone'>

/** Who cannot open a link that was made for others. A private address may be meant so, if somebody has set it. */
function useLimit(link: string): Limit | undefined {
  const { data: company } = useCompany()
  const reach = reachOf(link)
  return !company || reach === 'everyone' || (reach === 'network' && company.publicUrl) ? undefined : reach
}

const words = { machine: 'linkOnlyHere', network: 'linkOnlyInNetwork' } as const
const wordsOfMany = { machine: 'linksOnlyHere', network: 'linksOnlyInNetwork' } as const
const briefWords = { machine: 'onlyHere', network: 'onlyInNetwork' } as const

interface Props {
  link: string
  /** In few words, with the rest when it is opened: for a link that is one fact among many. */
  brief?: boolean
  /** Not this link, but those of the messages. */
  inMessages?: boolean
}

/** Says that a link opens only here, and what to set so that it opens elsewhere. */
export function LinkReach({ link, brief, inMessages }: Props) {
  const limit = useLimit(link)
  if (!limit) return null
  const word = (inMessages ? wordsOfMany : words)[limit]
  return brief ? <Brief limit={limit} /> : <Notice word={word} />
}

type NoticeWord = (typeof words | typeof wordsOfMany)[Limit]

function Notice({ word }: { word: NoticeWord }) {
  const say = useSay()
  return (
    <p className="flex w-full gap-2 rounded-md bg-waiting-soft px-2.5 py-1.5 text-waiting">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{say(word)}</span>
    </p>
  )
}

function Brief({ limit }: { limit: Limit }) {
  const say = useSay()
  return (
    <details className="text-xs">
      <summary className="cursor-pointer text-waiting">{say(briefWords[limit])}</summary>
      <p className="mt-1 text-ink-soft">{say(words[limit])}</p>
    </details>
  )
}
