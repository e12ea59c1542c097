import { CircleX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Reason, useReasons } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { labelIn } from '../../../tasks/answers.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { useSpeech } from '../../../words/console.ts'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { ReasonForm } from './reason-form.tsx'

type Open = { what: 'new' } | { what: 'edit' | 'delete'; reason: Reason }

export default function ReasonsPage() {
  const say = useSay()
  const { language } = useSpeech()
  const may = useMay()
  const reasons = useReasons()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const row = (reason: Reason) => ({
    key: reason.id,
    cells: [
      labelIn(reason, language),
      reason.code,
      [reason.photoRequired && say('photoRequired'), reason.noteRequired && say('noteRequired')]
        .filter(Boolean)
        .join(', '),
    ],
    menu: may('company:write') && (
      <EditOrDelete
        name={labelIn(reason, language)}
        onEdit={() => setOpen({ what: 'edit', reason })}
        onDelete={() => setOpen({ what: 'delete', reason })}
      />
    ),
  })
  return (
    <ListPage
      title="reasons"
      lead="reasonsLead"
      none={{ picture: <CircleX />, title: 'noReasons', lead: 'noReasonsLead' }}
      add={may('company:write') && { word: 'newReason', go: () => setOpen({ what: 'new' }) }}
      query={reasons}
      columns={['failureReason', 'reasonCode', 'reasonNeeds']}
      row={row}
    >
      {open?.what === 'new' && <ReasonForm onClose={close} />}
      {open?.what === 'edit' && <ReasonForm reason={open.reason} onClose={close} />}
      {open?.what === 'delete' && <DeleteReason reason={open.reason} onClose={close} />}
    </ListPage>
  )
}

function DeleteReason({ reason, onClose }: { reason: Reason; onClose: () => void }) {
  const say = useSay()
  const { language } = useSpeech()
  const name = labelIn(reason, language)
  return (
    <ConfirmWrite
      title={name}
      action={say('delete')}
      write={() => api.deleteReason({ params: { reasonId: reason.id } })}
      changes={['reasons']}
      told={say('reasonDeleted')}
      inForm
      onClose={onClose}
    >
      {say('deleteReasonLead', { name })}
    </ConfirmWrite>
  )
}
