import type { Person } from '../../contract/person.ts'
import type { LinkOwner, PersonRow } from './queries.ts'

export const roleOf = ({ is_admin }: Pick<PersonRow, 'is_admin'>) => (is_admin ? 'admin' : 'dispatcher')

export const presentPerson = (person: PersonRow): Person => ({
  id: person.id,
  name: person.name,
  email: person.email,
  role: roleOf(person),
  superAdmin: person.is_super_admin && person.is_admin,
  hasPassword: person.has_password,
  createdAt: person.created_at.toISOString(),
  updatedAt: person.updated_at.toISOString(),
})

export const presentLinkOwner = ({ name, email, organisation, expires_at }: LinkOwner) => ({
  person: { name, email },
  company: { name: organisation },
  expiresAt: expires_at.toISOString(),
})
