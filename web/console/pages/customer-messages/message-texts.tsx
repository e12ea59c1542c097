import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { MessageText } from '../../../../contract/message.ts'
import { type Cause, causeNames, causes } from '../../../../core/message-rules/causes.ts'
import { type Language, languages } from '../../../../core/words/languages.ts'
import { api } from '../../../api/client.ts'
import { useCompany } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import { useSave } from '../../../ui/save.ts'
import { Loaded } from '../../../ui/state.tsx'
import { LinkReach, useOwnAddress } from '../../day/link-reach.tsx'
import { causeInWords } from '../../tasks/message-result.tsx'
import { useSay } from '../record-words.ts'
import { useMessageTexts } from './no-messages.tsx'
import { TextEditor } from './text-editor.tsx'

/** What each message says, and whether it is sent. */
export function MessageTexts() {
  const say = useSay()
  const may = useMay()
  const [edited, setEdited] = useState<MessageText>()
  const address = useOwnAddress()
  const query = useMessageTexts()
  return (
    <Loaded query={query}>
      {({ messageTexts, channels }) => (
        <div className="grid gap-4">
          {channels.length === 0 && (
            <p className="rounded-lg bg-waiting-soft p-3 text-waiting">{say('noChannelYet')}</p>
          )}
          {/* Every text carries the link of the task. */}
          <LinkReach link={address} inMessages />
          <p className="text-ink-soft">
            <Link to="/settings" className="underline">
              {say('messagesInSettings')}
            </Link>
          </p>
          {causeNames.map((cause) => (
            <Card key={cause} title={causeInWords(cause, say)} actions={<OnSwitch cause={cause} />}>
              <ul>
                {messageTexts
                  .filter((text) => text.cause === cause)
                  .map((text) => (
                    <li
                      key={text.language}
                      className="flex flex-wrap items-start gap-x-3 gap-y-1 border-line border-b px-4 py-2 last:border-0"
                    >
                      <span className="w-20 shrink-0 text-ink-faint">{languages[text.language as Language].name}</span>
                      <span className="min-w-48 flex-1 [overflow-wrap:anywhere]">
                        {text.text}
                        <span className="block text-ink-faint text-xs">
                          {say(text.isStandard ? 'standardText' : 'ownText')} ·{' '}
                          {say('messageSegments', { n: text.sms.segments })}
                        </span>
                      </span>
                      {may('company:write') && (
                        <Button
                          look="quiet"
                          aria-label={`${say('edit')}: ${causeInWords(cause, say)}, ${text.language}`}
                          onClick={() => setEdited(text)}
                        >
                          {say('edit')}
                        </Button>
                      )}
                    </li>
                  ))}
              </ul>
            </Card>
          ))}
          {edited && <TextEditor saved={edited} onClose={() => setEdited(undefined)} />}
        </div>
      )}
    </Loaded>
  )
}

/** Turns a message on or off; it is a setting like any other. */
function OnSwitch({ cause }: { cause: Cause }) {
  const say = useSay()
  const may = useMay()
  const { data: company } = useCompany()
  const { setting } = causes[cause]
  const save = useSave((isOn: boolean) => api.updateCompany({ body: { settings: { [setting]: isOn } } }), {
    changes: ['company', 'messages'],
  })
  const isOn = save.isPending ? save.variables : company?.settings[setting] === true
  return (
    <Checkbox
      label={say('messageOn')}
      aria-label={`${say('messageOn')}: ${causeInWords(cause, say)}`}
      checked={isOn}
      disabled={!company || !may('company:write') || save.isPending}
      onChange={({ target }) => save.mutate(target.checked)}
    />
  )
}
