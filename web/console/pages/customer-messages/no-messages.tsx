import { useQuery } from '@tanstack/react-query'
import { MessageSquare, MessageSquareOff, SearchX } from 'lucide-react'
import { causeNames, causes } from '../../../../core/message-rules/causes.ts'
import { type WhyNone, whyNoMessages } from '../../../../core/message-rules/why-none.ts'
import type { Settings } from '../../../../core/settings.ts'
import { api } from '../../../api/client.ts'
import { keysOf, useCompany } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState, Loaded } from '../../../ui/state.tsx'
import { causeInWords } from '../../tasks/message-result.tsx'
import { useSay, type Word } from '../record-words.ts'

/** The texts of messages, and what this server can send. */
export const useMessageTexts = () =>
  useQuery({ queryKey: [...keysOf.messages, 'texts'], queryFn: () => api.listMessageTexts() })

interface Props {
  isFiltered: boolean
  onClear: () => void
  onTexts: () => void
}

/** An empty log: what keeps messages from being sent, and where that is changed. */
export function NoMessages({ isFiltered, onClear, onTexts }: Props) {
  const say = useSay()
  const may = useMay()
  const { data: company } = useCompany()
  const query = useMessageTexts()
  if (isFiltered)
    return (
      <EmptyState
        picture={<SearchX />}
        title={say('none_notFound')}
        action={<Button onClick={onClear}>{say('clearFilters')}</Button>}
      >
        {say('none_notFoundLead')}
      </EmptyState>
    )
  return (
    <Loaded query={query}>
      {({ channels }) => {
        const settings: Partial<Settings> = company?.settings ?? {}
        const why = whyNoMessages({ isFiltered, channels, settings })
        const isOn = causeNames.filter((cause) => settings[causes[cause].setting] === true)
        const [title, lead, action] = wordsOf(why, may('company:write'))
        return (
          <EmptyState
            picture={why === 'nothingYet' ? <MessageSquare /> : <MessageSquareOff />}
            title={say(title)}
            action={<Button onClick={onTexts}>{say(action)}</Button>}
          >
            {say(lead, { list: isOn.map((cause) => causeInWords(cause, say)).join(', ') })}
          </EmptyState>
        )
      }}
    </Loaded>
  )
}

function wordsOf(why: WhyNone, mayChange: boolean): [title: Word, lead: Word, action: Word] {
  switch (why) {
    case 'noChannel':
      return ['none_noChannel', 'none_noChannelLead', 'seeTexts']
    case 'nothingOn':
      return mayChange
        ? ['none_nothingOn', 'none_nothingOnLead', 'chooseMessages']
        : ['none_nothingOn', 'none_nothingOnAsk', 'seeTexts']
    default:
      return ['none_nothingYet', 'none_nothingYetLead', mayChange ? 'tryMessage' : 'seeTexts']
  }
}
