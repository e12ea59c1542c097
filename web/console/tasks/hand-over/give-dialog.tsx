import { useId, useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Task, usePartners } from '../../../api/data.ts'
import { canDelegate } from '../../../tasks/moves.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useHandOver } from './hand-over.ts'
import { namePartner } from './name-partner.ts'
import { RefusedList } from './refused-list.tsx'
import { useUndoGiving } from './undo-giving.ts'

interface Props {
  tasks: Task[]
  /** Called with what stayed here, once it is known. */
  onDone?: (stayed: Task[]) => void
  onClose: () => void
}

/** Gives tasks to a partner. What the server refuses stays in sight with its reason. */
export default function GiveDialog({ tasks, onDone, onClose }: Props) {
  const say = useLaterSay('partners')
  const tell = useTell()
  const form = useId()
  const { data: all = [] } = usePartners()
  const partners = all.filter(({ state }) => state === 'partner')
  const [chosen, setChosen] = useState<number>()
  const partner = partners.find(({ companyId }) => companyId === chosen) ?? partners[0]
  // As it was when the dialog was opened: what is given is no longer givable.
  const [able] = useState(() => tasks.filter((task) => canDelegate(task) && !task.erasedAt))
  const { run, isBusy, refused } = useHandOver((ids) =>
    api.bulkDelegateTasks({ body: { tasks: ids, companyId: partner?.companyId ?? 0 } }),
  )
  const undo = useUndoGiving()
  const go = async () => {
    if (!partner) return
    const { done, stayed } = await run(able)
    if (done.length > 0)
      tell(say('givenToPartner', { n: done.length, partner: namePartner(partner, say) }), {
        undo: () => void undo(done),
      })
    onDone?.([...tasks.filter((task) => !able.includes(task)), ...stayed.map(({ task }) => task)])
    if (stayed.length === 0) onClose()
  }
  const stays = tasks.length - able.length
  return (
    <Dialog
      title={say('givePartnerTitle', { n: able.length })}
      lead={say('givePartnerLead')}
      open
      onClose={onClose}
      footer={
        refused.length > 0 ? (
          <Button onClick={onClose}>{say('close')}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{say('cancel')}</Button>
            <Button look="primary" type="submit" form={form} busy={isBusy} disabled={!partner || able.length === 0}>
              {say('givePartner')}
            </Button>
          </>
        )
      }
    >
      {refused.length > 0 ? (
        <RefusedList refused={refused} title={say('notHandedOver', { n: refused.length })} />
      ) : (
        <form
          id={form}
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void go()
          }}
        >
          <SelectField
            label={say('partner')}
            value={partner?.companyId ?? ''}
            onChange={({ target }) => setChosen(Number(target.value))}
          >
            {partners.map((one) => (
              <option key={one.companyId} value={one.companyId}>
                {namePartner(one, say)}
              </option>
            ))}
          </SelectField>
          {stays > 0 && <p className="text-waiting">{say('notGivable', { n: stays })}</p>}
        </form>
      )}
    </Dialog>
  )
}
