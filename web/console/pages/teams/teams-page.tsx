import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Team, useTeams } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Listing } from '../../../ui/listing.tsx'
import { Page } from '../../../ui/page.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { useSave } from '../../../ui/save.ts'
import { useSay } from '../../../words/words.ts'
import { TeamForm } from './team-form.tsx'

type Open = { what: 'new' } | { what: 'edit' | 'delete'; team: Team }

export default function TeamsPage() {
  const say = useSay()
  const may = useMay()
  const teams = useTeams()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = may('teams:write') && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus aria-hidden />
      {say('newTeam')}
    </Button>
  )
  const row = (team: Team) => ({
    key: team.id,
    cells: [team.name, team.hub?.name ?? '', team.drivers.map(({ name }) => name).join(', ')],
    menu: may('teams:write') && (
      <EditOrDelete
        name={team.name}
        onEdit={() => setOpen({ what: 'edit', team })}
        onDelete={() => setOpen({ what: 'delete', team })}
      />
    ),
  })
  return (
    <Page title={say('teams')} lead={say('teamsLead')} actions={add}>
      <Listing
        query={teams}
        empty={{ picture: <Users />, title: 'noTeams', lead: 'noTeamsLead', action: add }}
        columns={['name', 'hub', 'drivers']}
      >
        {row}
      </Listing>
      {open?.what === 'new' && <TeamForm onClose={close} />}
      {open?.what === 'edit' && <TeamForm team={open.team} onClose={close} />}
      {open?.what === 'delete' && <DeleteTeam team={open.team} onClose={close} />}
    </Page>
  )
}

function DeleteTeam({ team, onClose }: { team: Team; onClose: () => void }) {
  const say = useSay()
  const remove = useSave(() => api.deleteTeam({ params: { teamId: team.id } }), {
    changes: ['teams', 'drivers', 'tasks'],
    told: 'teamDeleted',
    onDone: onClose,
  })
  return (
    <Confirm
      title={team.name}
      action={say('delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      {say('deleteTeamLead', { name: team.name })}
    </Confirm>
  )
}
