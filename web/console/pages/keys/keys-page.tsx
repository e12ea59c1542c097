import { useQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { CopyText } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Listing } from '../../../ui/listing.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { useSave } from '../../../ui/save.ts'
import { ForbiddenState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/words.ts'
import { KeyForm } from './key-form.tsx'

type Key = Answer<'listKeys'>['keys'][number]
type Open = { what: 'new' } | { what: 'rotate' | 'revoke'; key: Key } | { what: 'shown'; secret: string }

const overlapHours = 24

export default function KeysPage() {
  const may = useMay()
  return may('keys:read') ? <Keys /> : <ForbiddenState />
}

function Keys() {
  const say = useSay()
  const may = useMay()
  const { dateTime } = useFormats()
  const keys = useQuery({ queryKey: keysOf.keys, queryFn: async () => (await api.listKeys()).keys })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const show = (secret: string) => setOpen({ what: 'shown', secret })
  const add = may('keys:write') && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus aria-hidden />
      {say('newKey')}
    </Button>
  )
  const row = (key: Key) => ({
    key: key.id,
    cells: [
      key.name,
      key.scopes.includes('*') ? say('everything') : key.scopes.join(', '),
      dateTime(key.createdAt),
      key.lastUsedAt ? dateTime(key.lastUsedAt) : say('never'),
      key.expiresAt ? dateTime(key.expiresAt) : say('never'),
      say(stateOf(key)),
    ],
    menu: may('keys:write') && stateOf(key) === 'keyWorks' && (
      <Menu
        trigger={
          <IconButton label={`${say('more')}: ${key.name}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpen({ what: 'rotate', key })}>{say('rotate')}</MenuItem>
        <MenuItem danger onSelect={() => setOpen({ what: 'revoke', key })}>
          {say('revoke')}
        </MenuItem>
      </Menu>
    ),
  })
  return (
    <Page title={say('keys')} lead={say('keysLead')} actions={add}>
      <Listing
        query={keys}
        empty={{ picture: <KeyRound />, title: 'noKeys', lead: 'noKeysLead', action: add }}
        columns={['name', 'mayDo', 'keyCreated', 'lastUsed', 'expires', 'state']}
      >
        {row}
      </Listing>
      {open?.what === 'new' && <KeyForm onMade={show} onClose={close} />}
      {open?.what === 'rotate' && <RotateKey apiKey={open.key} onMade={show} onClose={close} />}
      {open?.what === 'revoke' && <RevokeKey apiKey={open.key} onClose={close} />}
      {open?.what === 'shown' && (
        <Dialog title={say('keyShown')} lead={say('keyShownLead')} open onClose={close}>
          <CopyText text={open.secret} label={say('keys')} />
        </Dialog>
      )}
    </Page>
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
  const rotate = useSave(() => api.rotateKey({ params: { keyId: apiKey.id }, body: { overlapHours } }), {
    changes: ['keys'],
    onDone: ({ key }) => onMade(key.secret),
  })
  return (
    <Confirm
      title={apiKey.name}
      action={say('rotate')}
      busy={rotate.isPending}
      onConfirm={() => rotate.mutate(undefined)}
      onClose={onClose}
    >
      {say('rotateLead', { n: overlapHours })}
    </Confirm>
  )
}

function RevokeKey({ apiKey, onClose }: Asked) {
  const say = useSay()
  const revoke = useSave(() => api.revokeKey({ params: { keyId: apiKey.id } }), {
    changes: ['keys'],
    told: 'keyDone',
    onDone: onClose,
  })
  return (
    <Confirm
      title={apiKey.name}
      action={say('revoke')}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate(undefined)}
      onClose={onClose}
    >
      {say('revokeLead', { name: apiKey.name })}
    </Confirm>
  )
}
