import { uuid } from '../core/file-id.ts'
import { Id, ItemError } from './schema.ts'
import { Type } from './type.ts'

const UndoId = (description: string) => Type.String({ pattern: `^${uuid}$`, description, 'x-rule': 'must be a UUID' })

/** In the body of what can be undone. */
export const undoId = Type.Optional(
  UndoId(
    'A UUID of your choice: what this changes can be undone by it for an hour. Several requests with the same one are undone together',
  ),
)

export const UndoInput = Type.Object({ undoId: UndoId('As it was given to what is to be undone') }, { title: 'Undo' })

/** One task of an undo. */
export const UndoResult = Type.Object(
  {
    id: Id(),
    awb: Type.String(),
    success: Type.Boolean(),
    error: Type.Optional(ItemError),
    notRestored: Type.Optional(
      Type.String({ enum: ['start'], description: 'The task was in transit; the driver has to start it again' }),
    ),
  },
  { title: 'UndoResult' },
)
