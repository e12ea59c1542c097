import { useState } from 'react'
import type { Template } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { useLaterSay } from '../../../words/later.ts'
import type { Draft } from '../form/draft.ts'
import { useForm } from '../form/form-context.tsx'
import { SaveTemplate } from './save-template.tsx'
import { draftOfTemplate, fillFrom } from './template.ts'
import { TemplatesDialog } from './templates-dialog.tsx'
import { useTemplates } from './use-templates.ts'

/** Above a new task: begin with a template, keep what is typed as one, and look after them. */
export default function TemplatesBar() {
  const say = useLaterSay('records')
  const { typedMoney } = useFormats()
  const { draft, type } = useForm()
  const { data: templates = [] } = useTemplates()
  const [chosen, setChosen] = useState<{ id: number; filled: Partial<Draft> }>()
  const [open, setOpen] = useState<'save' | 'manage'>()
  const template = templates.find(({ id }) => id === chosen?.id)
  const choose = (next: Template | undefined) => {
    const filled = next ? draftOfTemplate(next.task, typedMoney) : {}
    type(fillFrom(draft, chosen?.filled ?? {}, filled))
    setChosen(next && { id: next.id, filled })
  }
  return (
    <div className="mb-4 flex flex-wrap items-end gap-2 border-line border-b pb-4">
      {templates.length > 0 && (
        <SelectField
          label={say('template')}
          value={template?.id ?? ''}
          onChange={({ target }) => choose(templates.find(({ id }) => String(id) === target.value))}
          className="min-w-48 grow"
        >
          <option value="">{say('noTemplate')}</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <Button onClick={() => setOpen('save')}>{say('saveAsTemplate')}</Button>
      {templates.length > 0 && (
        <Button look="quiet" onClick={() => setOpen('manage')}>
          {say('manageTemplates')}
        </Button>
      )}
      {open === 'save' && (
        <SaveTemplate draft={draft} templates={templates} name={template?.name} onClose={() => setOpen(undefined)} />
      )}
      {open === 'manage' && <TemplatesDialog onClose={() => setOpen(undefined)} />}
    </div>
  )
}
