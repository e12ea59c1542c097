import { useState } from 'react'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { ForbiddenState } from '../../../ui/state.tsx'
import { useSay } from '../record-words.ts'
import { MessageLog } from './message-log.tsx'
import { MessageTexts } from './message-texts.tsx'

/** Messages to customers: what was sent, and what they say. */
export default function MessagesPage() {
  const say = useSay()
  const may = useMay()
  const [view, setView] = useState<'log' | 'texts'>('log')
  if (!may('messages:read')) return <ForbiddenState />
  const choice = (one: typeof view, word: 'messageLog' | 'messageTexts') => (
    <Button look={view === one ? 'primary' : 'plain'} aria-pressed={view === one} onClick={() => setView(one)}>
      {say(word)}
    </Button>
  )
  return (
    <Page
      title={say('part_messages')}
      lead={say('messagesLead')}
      actions={
        may('company:read') && (
          <div className="flex gap-1">
            {choice('log', 'messageLog')}
            {choice('texts', 'messageTexts')}
          </div>
        )
      }
    >
      {view === 'log' ? <MessageLog onTexts={() => setView('texts')} /> : <MessageTexts />}
    </Page>
  )
}
