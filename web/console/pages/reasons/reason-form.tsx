import { longest } from '../../../../contract/limits.ts'
import { languages } from '../../../../core/words/languages.ts'
import { api } from '../../../api/client.ts'
import type { Reason } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'

const codes = Object.keys(languages)
const fields = ['code', 'label', ...codes.map((code) => `labels.${code}`)]

/** Languages that this page does not show keep their words. */
const read = (form: FormData, before: Reason['labels'] = {}) => ({
  label: textOf(form, 'label') ?? '',
  labels: Object.fromEntries(
    Object.entries({
      ...before,
      ...Object.fromEntries(codes.map((code) => [code, textOf(form, `labels.${code}`)])),
    }).filter((entry): entry is [string, string] => entry[1] !== null),
  ),
  photoRequired: form.has('photoRequired'),
  noteRequired: form.has('noteRequired'),
})

export function ReasonForm({ reason, onClose }: { reason?: Reason; onClose: () => void }) {
  const say = useSay()
  const save = useSave(
    async (form: FormData) => {
      const body = read(form, reason?.labels)
      if (reason) await api.updateReason({ params: { reasonId: reason.id }, body })
      else await api.createReason({ body: { code: textOf(form, 'code') ?? '', ...body } })
    },
    { changes: ['reasons'], told: say('reasonSaved'), onDone: onClose, inForm: true },
  )
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  return (
    <Dialog title={say(reason ? 'editReason' : 'newReason')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, fields, say)}
        onCancel={onClose}
        onSubmit={(form) => save.mutate(form)}
      >
        <TextField
          label={say('reasonLabel')}
          name="label"
          defaultValue={reason?.label}
          required
          maxLength={longest.name}
          error={wrong('label')}
        />
        {!reason && (
          <TextField
            label={say('reasonCode')}
            hint={say('reasonCodeHint')}
            name="code"
            required
            maxLength={longest.reasonCode}
            error={wrong('code')}
          />
        )}
        {Object.entries(languages).map(([code, { name: language }]) => (
          <TextField
            key={code}
            label={say('reasonLabelIn', { language })}
            name={`labels.${code}`}
            defaultValue={reason?.labels[code]}
            maxLength={longest.name}
            error={wrong(`labels.${code}`)}
          />
        ))}
        <Checkbox label={say('askForPhoto')} name="photoRequired" defaultChecked={reason?.photoRequired} />
        <Checkbox label={say('askForNote')} name="noteRequired" defaultChecked={reason?.noteRequired} />
      </Form>
    </Dialog>
  )
}
