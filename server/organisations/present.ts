import type { Company } from '../../contract/company.ts'
import type { Organisation } from './queries.ts'

/** The organisation as the owner or the fulfiller of a task. */
export const presentCompany = ({ id, name, logo, email, phone }: Organisation): Company => ({
  id,
  name,
  logo,
  email,
  phone,
  paying: true,
})
