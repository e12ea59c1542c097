import { createFrontier } from './frontier.ts'

export type Workspace = ReturnType<typeof createWorkspace>

/** What searches write to. One is enough for all hierarchies of up to `size` vertices: a search leaves nothing in it. */
export const createWorkspace = (size: number) => ({
  forwards: createFrontier(size),
  backwards: createFrontier(size),
  settled: new Uint32Array(size),
})
