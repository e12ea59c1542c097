import type { Person } from '../../contract/person.ts'
import type { PersonRow } from './queries.ts'

export const roleOf = ({ is_admin }: Pick<PersonRow, 'is_admin'>) => (is_admin ? 'admin' : 'dispatcher')

export const presentPerson = (person: PersonRow): Person => ({
  id: person.id,
  name: person.name,
  email: person.email,
  role: roleOf(person),
  hasPassword: person.has_password,
  createdAt: person.created_at.toISOString(),
  updatedAt: person.updated_at.toISOString(),
})
