import { useSetting } from '../../api/data.ts'
import { useMay } from '../../api/session.ts'

/** Whether tasks can be unassigned: by the person's role, and by the organisation's setting. */
export function useMayUnassign(): boolean {
  const may = useMay()
  return useSetting('disableAdminUnassignToOrg') !== true && may('tasks:write')
}
