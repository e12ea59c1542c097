import { Users } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Team, useTeams } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { useAsked } from '../asked.ts'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { TeamForm } from './team-form.tsx'

type Open = { what: 'new' } | { what: 'edit' | 'delete'; team: Team }

export default function TeamsPage() {
  const may = useMay()
  const teams = useTeams()
  const { asked, goBack } = useAsked()
  const [open, setOpen] = useState<Open | undefined>(asked === 'new' ? { what: 'new' } : undefined)
  const close = () => {
    setOpen(undefined)
    goBack()
  }
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
    <ListPage
      title="teams"
      lead="teamsLead"
      none={{ picture: <Users />, title: 'noTeams', lead: 'noTeamsLead' }}
      add={may('teams:write') && { word: 'newTeam', go: () => setOpen({ what: 'new' }) }}
      query={teams}
      columns={['name', 'hub', 'drivers']}
      row={row}
    >
      {open?.what === 'new' && <TeamForm onClose={close} />}
      {open?.what === 'edit' && <TeamForm team={open.team} onClose={close} />}
      {open?.what === 'delete' && <DeleteTeam team={open.team} onClose={close} />}
    </ListPage>
  )
}

function DeleteTeam({ team, onClose }: { team: Team; onClose: () => void }) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={team.name}
      action={say('delete')}
      write={() => api.deleteTeam({ params: { teamId: team.id } })}
      changes={['teams', 'drivers', 'tasks']}
      told={say('teamDeleted')}
      onClose={onClose}
    >
      {say('deleteTeamLead', { name: team.name })}
    </ConfirmWrite>
  )
}
