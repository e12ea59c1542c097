import type { Session } from '../../../api/session.ts'

/** Whose unfinished imports are shown: those of this person in this organisation. */
export const ownerOf = ({ company, person }: Session) => `${company.id} ${person.id}`
