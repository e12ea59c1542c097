import { longest } from '../../../../contract/limits.ts'
import { triggers } from '../../../../core/triggers.ts'
import { api } from '../../../api/client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../../../words/console.ts'

/** The URL is called before it is saved, so this takes a moment; a refusal shows its answer. */
export function WebhookForm({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }) {
  const say = useSay()
  const save = useSave(
    (form: FormData) =>
      api.createWebhook({ body: { url: textOf(form, 'url') ?? '', trigger: Number(form.get('trigger')) } }),
    { changes: ['webhooks'], onDone: ({ webHook }) => onMade(webHook.secret), inForm: true },
  )
  return (
    <Dialog title={say('newWebhook')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, ['url'], say)}
        action={say('create')}
        onCancel={onClose}
        onSubmit={(form) => save.mutate(form)}
      >
        <TextField
          label={say('url')}
          name="url"
          type="url"
          required
          maxLength={longest.url}
          placeholder="https://"
          error={fieldProblem(save.error, 'url', say)}
        />
        <SelectField label={say('trigger')} name="trigger" defaultValue={2}>
          {Object.values(triggers).map(({ id }) => (
            <option key={id} value={id}>
              {say.known(`trigger${id}`)}
            </option>
          ))}
        </SelectField>
      </Form>
    </Dialog>
  )
}
