import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useCompany } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { namePartner } from '../../tasks/hand-over/name-partner.ts'

/** Asks an organisation by its number. Whether there is one with it is not said, so that nobody can find out by trying. */
export function PartnerForm({ onClose }: { onClose: () => void }) {
  const say = useLaterSay('partners')
  const tell = useTell()
  const { data: company } = useCompany()
  const [isOwn, setOwn] = useState(false)
  const save = useSave((companyId: number) => api.addPartner({ body: { companyId } }), {
    changes: ['partners'],
    onDone: ({ partner }) => {
      const name = namePartner(partner, say)
      tell(partner.state === 'partner' ? say('partnerAccepted', { partner: name }) : say('partnerAsked'))
      onClose()
    },
    inForm: true,
  })
  const submit = (form: FormData) => {
    const companyId = Number(textOf(form, 'companyId'))
    setOwn(companyId === company?.id)
    if (companyId !== company?.id) save.mutate(companyId)
  }
  return (
    <Dialog title={say('newPartner')} lead={say('yourNumberLead')} open onClose={onClose}>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, ['companyId'], say)}
        action={say('askPartner')}
        onCancel={onClose}
        onSubmit={submit}
      >
        <TextField
          label={say('partnerNumber')}
          name="companyId"
          type="number"
          min={1}
          step={1}
          required
          hint={say('partnerNumberHint')}
          error={isOwn ? say('ownNumber') : fieldProblem(save.error, 'companyId', say)}
        />
      </Form>
    </Dialog>
  )
}
