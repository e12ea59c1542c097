import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import type { Template } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useLaterSay } from '../../../words/later.ts'
import type { Draft } from '../form/draft.ts'
import { templateOf } from './template.ts'

interface Props {
  draft: Draft
  templates: readonly Template[]
  /** Of the template the form began with. */
  name: string | undefined
  onClose: () => void
}

/** Keeps what the form holds under a name; one that has this name already is replaced. */
export function SaveTemplate({ draft, templates, name: first, onClose }: Props) {
  const say = useLaterSay('records')
  const [name, setName] = useState(first ?? '')
  const same = templates.find((one) => one.name.toLowerCase() === name.trim().toLowerCase())
  const save = useSave(
    async () => {
      const task = templateOf(draft)
      if (same) await api.updateTemplate({ params: { templateId: same.id }, body: { task } })
      else await api.createTemplate({ body: { name: name.trim(), task } })
    },
    { changes: ['templates'], told: say('templateSaved'), onDone: onClose, inForm: true },
  )
  return (
    <Dialog title={say('saveAsTemplate')} lead={say('saveAsTemplateLead')} open onClose={onClose}>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, ['name'], say)}
        action={say(same ? 'replaceTemplate' : 'save')}
        onCancel={onClose}
        onSubmit={() => save.mutate(undefined)}
        isChanged={() => name !== (first ?? '')}
      >
        <TextField
          label={say('name')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint={same && say('templateExists')}
          required
          maxLength={longest.name}
          error={fieldProblem(save.error, 'name', say)}
        />
      </Form>
    </Dialog>
  )
}
