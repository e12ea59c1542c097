import { Warehouse } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Hub, useHubs } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { useSay } from '../../../words/console.ts'
import { ListPage } from '../list-page.tsx'
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
  const may = useMay()
  const hubs = useHubs()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
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
    <ListPage
      title="hubs"
      lead="hubsLead"
      none={{ picture: <Warehouse />, title: 'noHubs', lead: 'noHubsLead' }}
      add={may('teams:write') && { word: 'newHub', go: () => setOpen({ what: 'new' }) }}
      query={hubs}
      columns={['name', 'address', 'latitude', 'longitude']}
      row={row}
    >
      {open?.what === 'new' && <HubForm onClose={close} />}
      {open?.what === 'edit' && <HubForm hub={open.hub} onClose={close} />}
      {open?.what === 'delete' && <DeleteHub hub={open.hub} onClose={close} />}
    </ListPage>
  )
}

function DeleteHub({ hub, onClose }: { hub: Hub; onClose: () => void }) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={hub.name}
      action={say('delete')}
      write={() => api.deleteHub({ params: { hubId: hub.id } })}
      changes={['hubs']}
      told={say('hubDeleted')}
      inForm
      onClose={onClose}
    >
      {say('deleteHubLead', { name: hub.name })}
    </ConfirmWrite>
  )
}
