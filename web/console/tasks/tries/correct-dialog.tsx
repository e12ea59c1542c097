import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { Failed, Succeeded } from '../../../../core/task-status.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'

/** Corrects how a task ended, with a reason. */
export default function CorrectDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const say = useLaterSay('tries')
  const tell = useTell()
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  // As it was when the dialog was opened.
  const [succeeds] = useState(task.statusId === Failed)
  const correct = useMutation({
    mutationFn: () =>
      api.correctTask({
        params: { awb: task.awb },
        body: { statusId: succeeds ? Succeeded : Failed, reason },
      }),
    onSuccess: ({ task: changed }) => {
      client.setQueryData(['task', task.id], changed)
      tell(say('corrected', { awb: task.awb }))
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    correct.mutate()
  }
  return (
    <Dialog
      title={say('correctTitle', { awb: task.awb })}
      lead={say(succeeds ? 'correctToSucceededLead' : 'correctToFailedLead')}
      open
      onClose={onClose}
    >
      <form onSubmit={submit} className="grid gap-3">
        <TextArea
          label={say('correctReason')}
          required
          maxLength={longest.text}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {correct.error && (
          <p role="alert" className="text-bad">
            {problemText(correct.error, say)}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button
            type="submit"
            look={succeeds ? 'primary' : 'danger'}
            busy={correct.isPending}
            disabled={reason.trim() === ''}
          >
            {say(succeeds ? 'markAsSucceeded' : 'markAsFailed')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
