import { type ComponentType, lazy } from 'react'
import type { Driver, Task } from '../api/data.ts'
import type { Say } from '../words/words.ts'

/** The first file that a pattern names, loaded when it is needed; undefined where this build does not have it. */
const loaderOf = <Module>(found: Record<string, () => Promise<unknown>>) =>
  Object.values(found)[0] as (() => Promise<Module>) | undefined

const planDialog = loaderOf<{ default: ComponentType<{ tasks: Task[]; onClose: () => void }> }>(
  import.meta.glob('../planning/plan-assign-dialog.tsx'),
)
export const PlanAssignDialog = planDialog && lazy(planDialog)

const routeActions = loaderOf<{ RouteActions: ComponentType<{ driver: Driver }> }>(
  import.meta.glob('../planning/route-actions.tsx'),
)
export const RouteActions = routeActions && lazy(async () => ({ default: (await routeActions()).RouteActions }))

export type ExportFormat = 'csv' | 'xlsx'
interface ExportOptions {
  say: Say
  timeZone: string
  fileName: string
}
export const loadExport = loaderOf<{
  exportTasks: (tasks: Task[], format: ExportFormat, options: ExportOptions) => unknown
}>(import.meta.glob('../tasks/export.ts'))
