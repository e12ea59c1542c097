import { useId, useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Task, useSetting } from '../../../api/data.ts'
import { Button } from '../../../ui/button.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { useSay } from '../../../words/console.ts'
import { FailureFields, failureBody, useFailure } from '../../tasks/failure-fields.tsx'
import { useInTurn } from './in-turn.ts'

/** Ends tasks on behalf of their drivers. */
export function CompleteDialog({ tasks, onClose }: { tasks: Task[]; onClose: () => void }) {
  const say = useSay()
  const form = useId()
  const failsUsually = useSetting('forceCompleteAsFailed') === true
  const [chosen, setSuccess] = useState<boolean>()
  const success = chosen ?? !failsUsually
  const failure = useFailure()
  const { run, finished } = useInTurn('ended')
  const go = async () => {
    const body = { success, ...(!success && failureBody(failure.value)) }
    await run(tasks, ({ awb }) => api.forceCompleteTask({ params: { awb }, body }))
    onClose()
  }
  return (
    <Dialog
      title={say('forceComplete')}
      lead={say('forceCompleteLead', { n: tasks.length })}
      open
      onClose={onClose}
      footer={
        <>
          <CancelButton />
          <Button look="primary" type="submit" form={form} busy={finished !== undefined}>
            {finished === undefined ? say('forceComplete') : say('progressOf', { done: finished, all: tasks.length })}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <fieldset className="flex gap-4">
          <legend className="mb-1 font-medium text-ink-soft">{say('outcome')}</legend>
          {[true, false].map((one) => (
            <label key={String(one)} className="flex items-center gap-2">
              <input
                type="radio"
                name="outcome"
                checked={success === one}
                onChange={() => setSuccess(one)}
                className="size-4 accent-(--brand)"
              />
              {say(one ? 'asSucceeded' : 'asFailed')}
            </label>
          ))}
        </fieldset>
        {!success && <FailureFields {...failure} busy={finished !== undefined} />}
      </form>
    </Dialog>
  )
}
