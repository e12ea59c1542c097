import type { Form } from '../../contract/form.ts'
import type { FormRow } from './queries.ts'

export const presentForm = (form: FormRow): Form => ({
  id: form.id,
  name: form.name,
  fields: form.fields,
  isDefault: form.is_default,
  createdAt: form.created_at.toISOString(),
  updatedAt: form.updated_at.toISOString(),
})
