import type { Static } from 'typebox'
import { Time } from './schema.ts'
import { Type } from './type.ts'

const Count = (description: string) => Type.Integer({ description })

/** What a super admin sees: how the installation is, and how much is in it, never whose or what. */
export const Installation = Type.Object(
  {
    version: Type.String({ description: 'Of Waybill' }),
    node: Type.String({ description: 'The version of Node' }),
    startedAt: Time('When the process that answers was started'),
    database: Type.Object({
      version: Type.String({ description: 'Of PostgreSQL' }),
      embedded: Type.Boolean({ description: 'Whether Waybill runs it itself' }),
      bytes: Count('Its size on disk'),
    }),
    organisations: Count('How many there are'),
    people: Count('Admins and dispatchers of all organisations'),
    drivers: Count('Active drivers of all organisations'),
    tasks: Count('Tasks of all organisations, about'),
  },
  { title: 'Installation' },
)
export type Installation = Static<typeof Installation>
