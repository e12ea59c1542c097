import { api, WaybillError } from '../../../api/client.ts'
import type { Driver } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'

/** A driver with a task in transit can be deleted too, after a second confirmation. */
export function DeleteDriver({ driver, onClose }: { driver: Driver; onClose: () => void }) {
  const say = useSay()
  const remove = useSave((force: boolean) => api.deleteDriver({ params: { driverId: driver.id }, query: { force } }), {
    changes: ['drivers', 'teams', 'tasks'],
    told: say('driverDeleted'),
    onDone: onClose,
    inForm: true,
  })
  const busy = remove.error instanceof WaybillError && remove.error.code === 'DRIVER_BUSY'
  return (
    <Confirm
      title={say('deleteDriver')}
      action={say('delete')}
      busy={remove.isPending}
      problem={remove.error && !busy ? problemText(remove.error, say) : undefined}
      onConfirm={() => remove.mutate(busy)}
      onClose={onClose}
    >
      {say(busy ? 'deleteDriverBusy' : 'deleteDriverLead', { name: driver.name })}
    </Confirm>
  )
}
