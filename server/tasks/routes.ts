import { orThrow } from '../../contract/errors.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createTasks } from './actions.ts'

export const taskRoutes = {
  async createTask(context, { organisation, body }) {
    const [result] = await createTasks(context, organisation, [body])
    return { task: orThrow(result) }
  },
} satisfies Partial<Handlers<Organisation>>
