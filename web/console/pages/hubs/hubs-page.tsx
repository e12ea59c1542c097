import { Plus, Warehouse } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Hub, useHubs } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Listing } from '../../../ui/listing.tsx'
import { Page } from '../../../ui/page.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { useSave } from '../../../ui/save.ts'
import { useSay } from '../../../words/words.ts'
import { HubForm } from './hub-form.tsx'

type Open = { what: 'new' } | { what: 'edit' | 'delete'; hub: Hub }

const addressOf = ({ streetName, streetNumber, postalCode, city }: Hub) =>
  [
    [streetName, streetNumber],
    [postalCode, city],
  ]
    .map((parts) => parts.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(', ')

export default function HubsPage() {
  const say = useSay()
  const may = useMay()
  const hubs = useHubs()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = may('teams:write') && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus aria-hidden />
      {say('newHub')}
    </Button>
  )
  const row = (hub: Hub) => ({
    key: hub.id,
    cells: [hub.name, addressOf(hub), hub.lat.toFixed(5), hub.lng.toFixed(5)],
    menu: may('teams:write') && (
      <EditOrDelete
        name={hub.name}
        onEdit={() => setOpen({ what: 'edit', hub })}
        onDelete={() => setOpen({ what: 'delete', hub })}
      />
    ),
  })
  return (
    <Page title={say('hubs')} lead={say('hubsLead')} actions={add}>
      <Listing
        query={hubs}
        empty={{ picture: <Warehouse />, title: 'noHubs', lead: 'noHubsLead', action: add }}
        columns={['name', 'address', 'latitude', 'longitude']}
      >
        {row}
      </Listing>
      {open?.what === 'new' && <HubForm onClose={close} />}
      {open?.what === 'edit' && <HubForm hub={open.hub} onClose={close} />}
      {open?.what === 'delete' && <DeleteHub hub={open.hub} onClose={close} />}
    </Page>
  )
}

function DeleteHub({ hub, onClose }: { hub: Hub; onClose: () => void }) {
  const say = useSay()
  const remove = useSave(() => api.deleteHub({ params: { hubId: hub.id } }), {
    changes: ['hubs'],
    told: 'hubDeleted',
    onDone: onClose,
    inForm: true,
  })
  return (
    <Confirm
      title={hub.name}
      action={say('delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      <p>{say('deleteHubLead', { name: hub.name })}</p>
      {remove.error && (
        <p role="alert" className="mt-2 text-bad">
          {problemText(remove.error, say)}
        </p>
      )}
    </Confirm>
  )
}
