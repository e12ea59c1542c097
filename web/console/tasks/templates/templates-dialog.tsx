import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import type { Template } from '../../../api/data.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { EmptyState, Loaded } from '../../../ui/state.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useTemplates } from './use-templates.ts'

type Open = { what: 'rename' | 'delete'; template: Template }

/** The templates of the organisation, to rename and to delete. */
export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const say = useLaterSay('records')
  const query = useTemplates()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Dialog title={say('templates')} lead={say('templatesLead')} open onClose={onClose}>
      <Loaded query={query}>
        {(templates) =>
          templates.length === 0 ? (
            <EmptyState picture={<BookmarkPlus />} title={say('noTemplates')}>
              {say('noTemplatesLead')}
            </EmptyState>
          ) : (
            <ul className="grid">
              {templates.map((template) => (
                <li key={template.id} className="flex items-center gap-2 border-line border-b py-1 last:border-0">
                  <span className="min-w-0 grow">
                    <span className="block font-medium [overflow-wrap:anywhere]">{template.name}</span>
                    <span className="block truncate text-ink-soft">
                      {template.task.address?.address || template.task.details}
                    </span>
                  </span>
                  <RowMenu name={template.name}>
                    <MenuItem onSelect={() => setOpen({ what: 'rename', template })}>{say('rename')}</MenuItem>
                    <MenuItem danger onSelect={() => setOpen({ what: 'delete', template })}>
                      {say('delete')}
                    </MenuItem>
                  </RowMenu>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.what === 'rename' && <Rename template={open.template} onClose={close} />}
      {open?.what === 'delete' && (
        <ConfirmWrite
          title={open.template.name}
          action={say('delete')}
          write={() => api.deleteTemplate({ params: { templateId: open.template.id } })}
          changes={['templates']}
          told={say('templateDeleted')}
          inForm
          onClose={close}
        >
          {say('deleteTemplateLead')}
        </ConfirmWrite>
      )}
    </Dialog>
  )
}

function Rename({ template: { id, name }, onClose }: { template: Template; onClose: () => void }) {
  const say = useLaterSay('records')
  const save = useSave(
    (form: FormData) => api.updateTemplate({ params: { templateId: id }, body: { name: textOf(form, 'name') ?? '' } }),
    { changes: ['templates'], told: say('templateSaved'), onDone: onClose, inForm: true },
  )
  return (
    <Dialog title={say('rename')} open onClose={onClose}>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, ['name'], say)}
        onCancel={onClose}
        onSubmit={(form) => save.mutate(form)}
      >
        <TextField
          label={say('name')}
          name="name"
          defaultValue={name}
          required
          maxLength={longest.name}
          error={fieldProblem(save.error, 'name', say)}
        />
      </Form>
    </Dialog>
  )
}
