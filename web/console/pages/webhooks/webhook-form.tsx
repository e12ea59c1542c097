import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { triggers } from '../../../../core/triggers.ts'
import { api } from '../../../api/client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'
import type { Webhook } from './webhook.ts'

interface Props {
  webhooks: readonly Webhook[]
  onMade: (secret: string) => void
  onClose: () => void
}

/** The URL is called before it is saved, so this takes a moment; a refusal shows its answer. */
export function WebhookForm({ webhooks, onMade, onClose }: Props) {
  const say = useSay()
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<readonly number[]>([triggers.TASK_COMPLETE.id])
  const existing = new Set(webhooks.filter((one) => one.url === url.trim()).map(({ trigger }) => trigger))
  const wanted = chosen.filter((id) => !existing.has(id))
  const save = useSave(
    (form: FormData) => api.bulkCreateWebhooks({ body: { url: textOf(form, 'url') ?? '', triggers: wanted } }),
    { changes: ['webhooks'], onDone: ({ webHooks }) => onMade(webHooks[0]?.secret ?? ''), inForm: true },
  )
  const toggle = (id: number) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].sort())
  return (
    <Dialog title={say('newWebhook')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, ['url'], say)}
        action={say('create')}
        onCancel={onClose}
        onSubmit={(form) => wanted.length > 0 && save.mutate(form)}
      >
        <TextField
          label={say('url')}
          name="url"
          type="url"
          required
          maxLength={longest.url}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          error={fieldProblem(save.error, 'url', say)}
        />
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium text-ink-soft">{say('triggersOfWebhook')}</legend>
          {Object.values(triggers).map(({ id }) => (
            <Checkbox
              key={id}
              label={say.known(`trigger${id}`) ?? String(id)}
              checked={chosen.includes(id) || existing.has(id)}
              disabled={existing.has(id)}
              onChange={() => toggle(id)}
              {...(existing.has(id) && { hint: say('webhookExists') })}
            />
          ))}
          <p className={wanted.length === 0 ? 'text-bad' : 'text-ink-faint'}>
            {wanted.length === 0 ? say('triggersNone') : say('webhooksMade', { n: wanted.length })}
          </p>
        </fieldset>
      </Form>
    </Dialog>
  )
}
