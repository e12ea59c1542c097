import { Plus } from 'lucide-react'
import { useState } from 'react'
import { longest, mostFields } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import type { Form as FormData } from '../../../api/data.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'
import { FieldEditor } from './field-editor.tsx'
import { draftFields, type FieldDraft, moveItem, newField, readFields } from './form-draft.ts'

const parts = ['field_key', 'label', 'choices']

/** Makes or edits a form: its name, and its questions in their order. */
export function FormEditor({ form, onClose }: { form?: FormData; onClose: () => void }) {
  const say = useSay()
  const [name, setName] = useState(form?.name ?? '')
  const [isDefault, setDefault] = useState(form?.isDefault ?? false)
  const [fields, setFields] = useState<FieldDraft[]>(() => (form ? draftFields(form) : [newField(0)]))
  const save = useSave(
    async () => {
      const body = { name: name.trim(), isDefault, fields: readFields(fields) }
      if (form) await api.updateForm({ params: { formId: form.id }, body })
      else await api.createForm({ body })
    },
    { changes: ['forms'], told: say('formSaved'), onDone: onClose, inForm: true },
  )
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  const draft = JSON.stringify({ name, isDefault, fields })
  const [first] = useState(draft)
  const shown = ['name', ...fields.flatMap((_, at) => parts.map((part) => `fields.${at}.${part}`))]
  const change = (id: number, changed: Partial<FieldDraft>) =>
    setFields((all) => all.map((field) => (field.id === id ? { ...field, ...changed } : field)))
  const add = () => setFields((all) => [...all, newField(Math.max(-1, ...all.map(({ id }) => id)) + 1)])
  return (
    <Dialog title={say(form ? 'editForm' : 'newForm')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, shown, say)}
        isChanged={() => draft !== first}
        onCancel={onClose}
        onSubmit={() => save.mutate(undefined)}
      >
        <TextField
          label={say('name')}
          required
          maxLength={longest.name}
          value={name}
          error={wrong('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Checkbox
          label={say('defaultForm')}
          hint={say('defaultFormHint')}
          checked={isDefault}
          onChange={(event) => setDefault(event.target.checked)}
        />
        {fields.map((field, at) => (
          <FieldEditor
            key={field.id}
            field={field}
            number={at + 1}
            isLast={at === fields.length - 1}
            wrong={(part) => wrong(`fields.${at}.${part}`)}
            onChange={(changed) => change(field.id, changed)}
            onMove={(by) => setFields((all) => moveItem(all, at, by))}
            onRemove={() => setFields((all) => all.filter(({ id }) => id !== field.id))}
          />
        ))}
        {fields.length < mostFields && (
          <Button className="justify-self-start" onClick={add}>
            <Plus aria-hidden />
            {say('addFormField')}
          </Button>
        )}
      </Form>
    </Dialog>
  )
}
