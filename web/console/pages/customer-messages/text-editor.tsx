import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import type { MessageText } from '../../../../contract/message.ts'
import { placeholders } from '../../../../core/message-rules/texts.ts'
import { type Language, languages } from '../../../../core/words/languages.ts'
import { api } from '../../../api/client.ts'
import { problemText } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { useSave } from '../../../ui/save.ts'
import { useTell } from '../../../ui/toast.tsx'
import { causeInWords, stateInWords } from '../../tasks/message-result.tsx'
import { useSay } from '../record-words.ts'

const names = Object.keys(placeholders).map((name) => `{${name}}`)

/** One text in one language, with what a customer would read. */
export function TextEditor({ saved, onClose }: { saved: MessageText; onClose: () => void }) {
  const say = useSay()
  const { cause, language } = saved
  const [text, setText] = useState(saved.text)
  const [subject, setSubject] = useState(saved.subject)
  const save = useSave(
    (given: { text: string | null; subject: string | null }) =>
      api.updateMessageTexts({ body: { texts: [{ cause, language, ...given }] } }),
    { changes: ['messages'], told: say('textsSaved'), inForm: true, onDone: onClose },
  )
  const draft = { cause, language, text, subject }
  return (
    <Dialog
      title={causeInWords(cause, say)}
      lead={languages[language as Language].name}
      open
      onClose={onClose}
      side
      wide
    >
      <Form
        onSubmit={() => save.mutate({ text, subject })}
        onCancel={onClose}
        busy={save.isPending}
        problem={save.error ? problemText(save.error, say) : undefined}
      >
        <TextField
          label={say('messageSubject')}
          value={subject}
          maxLength={longest.name}
          required
          onChange={({ target }) => setSubject(target.value)}
        />
        <TextArea
          label={say('messageText')}
          value={text}
          rows={4}
          maxLength={longest.message}
          required
          hint={say('placeholdersHint', { list: names.join(' ') })}
          onChange={({ target }) => setText(target.value)}
        />
        {!saved.isStandard && (
          <Button
            look="quiet"
            className="justify-self-start"
            onClick={() => save.mutate({ text: null, subject: null })}
          >
            {say('useStandardText')}
          </Button>
        )}
        <Preview draft={draft} />
      </Form>
      <TestMessage draft={draft} />
    </Dialog>
  )
}

interface Draft {
  cause: string
  language: string
  text: string
  subject: string
}

function Preview({ draft }: { draft: Draft }) {
  const say = useSay()
  const shown = useDeferredValue(draft)
  const { data, error } = useQuery({
    queryKey: ['message-preview', shown.cause, shown.language, shown.text, shown.subject],
    queryFn: () => api.previewMessage({ body: shown }),
    enabled: shown.text.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
    gcTime: 60_000,
  })
  return (
    <section className="grid gap-2 rounded-lg bg-sunken p-3">
      <h3 className="font-semibold">{say('preview')}</h3>
      {error ? (
        <p role="alert" className="text-bad">
          {problemText(error, say)}
        </p>
      ) : (
        data && (
          <>
            <p className="[overflow-wrap:anywhere]">{data.preview.sms.text}</p>
            <p className="numbers text-ink-soft">
              {say('smsCosts', {
                characters: data.preview.sms.characters,
                n: data.preview.sms.segments,
                encoding: data.preview.sms.encoding,
              })}
            </p>
          </>
        )
      )}
    </section>
  )
}

function TestMessage({ draft }: { draft: Draft }) {
  const say = useSay()
  const tell = useTell()
  const [to, setTo] = useState('')
  const send = useSave(() => api.testMessage({ body: { ...draft, to } }), {
    changes: ['messages'],
    onDone: ({ message }) => tell(say('testSent', { state: stateInWords(message.state, say) })),
  })
  return (
    <section className="mt-5 grid gap-2 border-line border-t pt-4">
      <h3 className="font-semibold">{say('testMessage')}</h3>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate(undefined)
        }}
      >
        <TextField
          label={say('testTo')}
          value={to}
          required
          maxLength={longest.email}
          className="min-w-48 flex-1"
          onChange={({ target }) => setTo(target.value)}
        />
        <Button type="submit" busy={send.isPending}>
          {say('sendTest')}
        </Button>
      </form>
    </section>
  )
}
