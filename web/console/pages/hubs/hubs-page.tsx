import { Warehouse } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Hub, useHubs } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { Later } from '../../../ui/later.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useAsked } from '../asked.ts'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { addressOf } from './address.ts'
import { HubForm } from './hub-form.tsx'

type Open = { what: 'new' } | { what: 'edit' | 'delete'; hub: Hub }

export default function HubsPage() {
  const may = useMay()
  const hubs = useHubs()
  const { asked, goBack } = useAsked()
  const [open, setOpen] = useState<Open | undefined>(asked === 'new' ? { what: 'new' } : undefined)
  const close = () => {
    setOpen(undefined)
    goBack()
  }
  const row = (hub: Hub) => ({
    key: hub.id,
    cells: [hub.name, addressOf(hub), <HubPlace key="place" hub={hub} />],
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
      columns={['name', 'address', 'coordinates']}
      row={row}
    >
      <Later>
        {open?.what === 'new' && <HubForm onClose={close} />}
        {open?.what === 'edit' && <HubForm hub={open.hub} onClose={close} />}
      </Later>
      {open?.what === 'delete' && <DeleteHub hub={open.hub} onClose={close} />}
    </ListPage>
  )
}

const HubPlace = ({ hub: { lat, lng, precision } }: { hub: Hub }) => (
  <>
    {lat.toFixed(5)}, {lng.toFixed(5)}
    {precision === 'approximate' && (
      <Later>
        <Approximate />
      </Later>
    )}
  </>
)

function Approximate() {
  const say = useLaterSay('firstSteps')
  return <span className="block text-waiting">{say('hubApproximate')}</span>
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
