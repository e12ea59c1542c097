import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { CopyText } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { onlyWith } from '../../../ui/state.tsx'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { KeyForm } from './key-form.tsx'

type Key = Answer<'listKeys'>['keys'][number]
type Open = { what: 'new' } | { what: 'rotate' | 'revoke'; key: Key } | { what: 'shown'; secret: string }

const overlapHours = 24

export default onlyWith('keys:read', Keys)

function Keys() {
  const say = useSay()
  const may = useMay()
  const { dateTime } = useFormats()
  const keys = useQuery({ queryKey: keysOf.keys, queryFn: async () => (await api.listKeys()).keys })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const show = (secret: string) => setOpen({ what: 'shown', secret })
  const when = (moment: string | null) => (
    <span className="whitespace-nowrap">{moment ? dateTime(moment) : say('never')}</span>
  )
  const row = (key: Key) => ({
    key: key.id,
    cells: [
      key.name,
      key.scopes.includes('*') ? say('everything') : key.scopes.join(', '),
      when(key.createdAt),
      when(key.lastUsedAt),
      when(key.expiresAt),
      say(stateOf(key)),
    ],
    menu: may('keys:write') && stateOf(key) === 'keyWorks' && (
      <RowMenu name={key.name}>
        <MenuItem onSelect={() => setOpen({ what: 'rotate', key })}>{say('rotate')}</MenuItem>
        <MenuItem danger onSelect={() => setOpen({ what: 'revoke', key })}>
          {say('revoke')}
        </MenuItem>
      </RowMenu>
    ),
  })
  return (
    <ListPage
      title="keys"
      lead="keysLead"
      none={{ picture: <KeyRound />, title: 'noKeys', lead: 'noKeysLead' }}
      add={may('keys:write') && { word: 'newKey', go: () => setOpen({ what: 'new' }) }}
      query={keys}
      columns={['name', 'mayDo', 'keyCreated', 'lastUsed', 'expires', 'state']}
      row={row}
    >
      {open?.what === 'new' && <KeyForm onMade={show} onClose={close} />}
      {open?.what === 'rotate' && <RotateKey apiKey={open.key} onMade={show} onClose={close} />}
      {open?.what === 'revoke' && <RevokeKey apiKey={open.key} onClose={close} />}
      {open?.what === 'shown' && (
        <Dialog title={say('keyShown')} lead={say('keyShownLead')} open onClose={close}>
          <CopyText text={open.secret} label={say('keys')} />
        </Dialog>
      )}
    </ListPage>
  )
}

function stateOf({ revokedAt, expiresAt }: Key) {
  if (revokedAt) return 'keyRevoked'
  return expiresAt && Date.parse(expiresAt) < Date.now() ? 'keyExpired' : 'keyWorks'
}

interface Asked {
  apiKey: Key
  onClose: () => void
}

function RotateKey({ apiKey, onMade, onClose }: Asked & { onMade: (secret: string) => void }) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={apiKey.name}
      action={say('rotate')}
      write={() => api.rotateKey({ params: { keyId: apiKey.id }, body: { overlapHours } })}
      changes={['keys']}
      onDone={({ key }) => onMade(key.secret)}
      onClose={onClose}
    >
      {say('rotateLead', { n: overlapHours })}
    </ConfirmWrite>
  )
}

function RevokeKey({ apiKey, onClose }: Asked) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={apiKey.name}
      action={say('revoke')}
      write={() => api.revokeKey({ params: { keyId: apiKey.id } })}
      changes={['keys']}
      told={say('keyDone')}
      onClose={onClose}
    >
      {say('revokeLead', { name: apiKey.name })}
    </ConfirmWrite>
  )
}
