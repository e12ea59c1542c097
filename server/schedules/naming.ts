import { readPhone } from '../../core/phone.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { listSchedules, listTemplates } from './queries.ts'

/** A schedule or a template that names a customer, with its task. */
export interface Naming {
  kind: 'schedule' | 'template'
  id: number
  name: string
  task: object
}

type Person = { phone: string; typed: string } | { email: string }

/** Those that name somebody. They are few, so all are read: a phone stands in them as it was typed. */
export async function listNaming(db: Db, { id, country }: Organisation, person: Person): Promise<Naming[]> {
  const rows = [
    ...(await listSchedules(db, id)).map((row) => ({ kind: 'schedule' as const, ...row })),
    ...(await listTemplates(db, id)).map((row) => ({ kind: 'template' as const, ...row })),
  ]
  return rows
    .filter(({ task: { customer } }) => {
      if ('email' in person) return customer?.email?.trim().toLowerCase() === person.email.toLowerCase()
      const typed = customer?.phone?.trim() ?? ''
      return typed !== '' && (typed === person.typed || (readPhone(typed, country) ?? typed) === person.phone)
    })
    .map(({ kind, id, name, task }) => ({ kind, id, name, task }))
}
