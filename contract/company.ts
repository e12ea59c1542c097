import { type Static, Type } from 'typebox'
import { Id, Nullable } from './schema.ts'

/** An organisation as others see it: the owner and the fulfiller of a task. */
export const Company = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    logo: Type.String({ description: 'A stored-file path, or empty' }),
    email: Type.String(),
    phone: Nullable(Type.String()),
    paying: Type.Boolean(),
  },
  { title: 'Company' },
)
export type Company = Static<typeof Company>
