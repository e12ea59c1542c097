import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useSay } from '../../../words/console.ts'
import { FailureFields, failureBody, useFailure } from '../failure-fields.tsx'

interface Props {
  task: Task
  onClose: () => void
}

/** Ends a task on behalf of its driver. */
export function ForceDialog({ task, onClose, succeeds }: Props & { succeeds: boolean }) {
  const say = useSay()
  const tell = useTell()
  const client = useQueryClient()
  const failure = useFailure()
  const force = useMutation({
    mutationFn: () =>
      api.forceCompleteTask({
        params: { awb: task.awb },
        body: { success: succeeds, ...(!succeeds && failureBody(failure.value)) },
      }),
    onSuccess: ({ task: changed }) => {
      client.setQueryData(['task', task.id], changed)
      tell(say(succeeds ? 'markedSucceeded' : 'markedFailed', { awb: task.awb }))
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    force.mutate()
  }
  return (
    <Dialog
      title={say(succeeds ? 'forceSucceededTitle' : 'forceFailedTitle', { awb: task.awb })}
      lead={say('forceLead')}
      open
      onClose={onClose}
    >
      <form onSubmit={submit} className="grid gap-3">
        {!succeeds && <FailureFields {...failure} busy={force.isPending} />}
        <Trouble error={force.error} />
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" look={succeeds ? 'primary' : 'danger'} busy={force.isPending}>
            {say(succeeds ? 'confirmSucceeded' : 'confirmFailed')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function DeleteDialog({ task, onClose, onDeleted }: Props & { onDeleted: () => void }) {
  const say = useSay()
  const tell = useTell()
  const remove = useMutation({
    mutationFn: () => api.deleteTask({ params: { awb: task.awb } }),
    onSuccess: () => {
      tell(say('taskDeleted', { awb: task.awb }))
      onDeleted()
    },
  })
  return (
    <Dialog
      title={say('deleteTask', { awb: task.awb })}
      lead={say('deleteTaskLead')}
      open
      onClose={onClose}
      footer={
        <>
          <CancelButton />
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {say('delete')}
          </Button>
        </>
      }
    >
      <p>{task.address.address}</p>
      <Trouble error={remove.error} />
    </Dialog>
  )
}

function Trouble({ error }: { error: unknown }) {
  const say = useSay()
  if (!error) return null
  return (
    <p role="alert" className="text-bad">
      {problemText(error, say)}
    </p>
  )
}
