import { Form, FormInput, FormUpdate } from '../form.ts'
import { Id, PageQuery, reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const formOperations = {
  createForm: {
    method: 'POST',
    path: '/api/v1/forms',
    tag: 'Forms',
    summary: 'Create a form for drivers to fill in',
    scope: 'company:write',
    body: FormInput,
    reply: reply({ form: Form }),
    changes: ['forms'],
    refuses: ['TOO_MANY_ITEMS'],
  },
  listForms: {
    method: 'GET',
    path: '/api/v1/forms',
    tag: 'Forms',
    summary: 'List forms',
    scope: 'company:read',
    query: PageQuery,
    reply: reply({ forms: Type.Array(Form), nextCursor: NextCursor }),
    refuses: [],
  },
  updateForm: {
    method: 'PUT',
    path: '/api/v1/forms/:formId',
    tag: 'Forms',
    summary: 'Update the given parts, keep the rest; answers given before stay as they are',
    scope: 'company:write',
    params: Type.Object({ formId: Id() }),
    body: FormUpdate,
    reply: reply({ form: Form }),
    missing: 'FORM_NOT_FOUND',
    changes: ['forms'],
    refuses: ['TOO_MANY_ITEMS'],
  },
  deleteForm: {
    method: 'DELETE',
    path: '/api/v1/forms/:formId',
    tag: 'Forms',
    summary: 'Delete a form; its tasks keep their answers and use the default form',
    scope: 'company:write',
    params: Type.Object({ formId: Id() }),
    reply: reply({}),
    missing: 'FORM_NOT_FOUND',
    changes: ['forms'],
    refuses: [],
  },
} as const satisfies Record<string, Operation>
