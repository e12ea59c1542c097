import { WaybillError } from '../../../api/client.ts'
import { itemProblem } from '../../../api/problem.ts'
import type { Say } from '../../../words/console.ts'
import type { FieldName } from './draft.ts'

/** The form's names for the server's fields, where they differ. */
const names: Record<string, FieldName> = {
  'address.address': 'address',
  'address.lat': 'coordinates',
  'address.lng': 'coordinates',
  'customer.name': 'customerName',
  'customer.phone': 'customerPhone',
  'customer.email': 'customerEmail',
}

const fieldOf = (field: string) =>
  names[field] ?? ((field.startsWith('customFields') ? 'customFields' : field.replace(/^address\./, '')) as FieldName)

export type FieldProblems = Partial<Record<FieldName, string>>

/** The server's refusal, by field. */
export function fieldProblems(error: unknown, say: Say): FieldProblems {
  if (!(error instanceof WaybillError)) return {}
  const problems: FieldProblems = {}
  for (const { field, ...detail } of error.details) problems[fieldOf(field)] ??= itemProblem(detail, say)
  if (error.field) problems[fieldOf(error.field)] ??= itemProblem(error, say)
  return problems
}
