import { ClipboardList } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Form, useForms } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { FormEditor } from './form-editor.tsx'

type Open = { what: 'new' } | { what: 'edit' | 'delete'; form: Form }

export default function FormsPage() {
  const say = useSay()
  const may = useMay()
  const forms = useForms()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const row = (form: Form) => ({
    key: form.id,
    cells: [form.name, form.fields.map(({ label }) => label).join(', '), form.isDefault ? say('yes') : ''],
    menu: may('company:write') && (
      <EditOrDelete
        name={form.name}
        onEdit={() => setOpen({ what: 'edit', form })}
        onDelete={() => setOpen({ what: 'delete', form })}
      />
    ),
  })
  return (
    <ListPage
      title="forms"
      lead="formsLead"
      none={{ picture: <ClipboardList />, title: 'noForms', lead: 'noFormsLead' }}
      add={may('company:write') && { word: 'newForm', go: () => setOpen({ what: 'new' }) }}
      query={forms}
      columns={['name', 'formFields', 'defaultForm']}
      row={row}
    >
      {open?.what === 'new' && <FormEditor onClose={close} />}
      {open?.what === 'edit' && <FormEditor form={open.form} onClose={close} />}
      {open?.what === 'delete' && <DeleteForm form={open.form} onClose={close} />}
    </ListPage>
  )
}

function DeleteForm({ form, onClose }: { form: Form; onClose: () => void }) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={form.name}
      action={say('delete')}
      write={() => api.deleteForm({ params: { formId: form.id } })}
      changes={['forms']}
      told={say('formDeleted')}
      inForm
      onClose={onClose}
    >
      {say('deleteFormLead', { name: form.name })}
    </ConfirmWrite>
  )
}
