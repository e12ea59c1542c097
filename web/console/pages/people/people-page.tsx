import { useQuery } from '@tanstack/react-query'
import { UserCog } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useSession } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { CopyText } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { useSave } from '../../../ui/save.ts'
import { onlyWith } from '../../../ui/state.tsx'
import { LinkReach } from '../../day/link-reach.tsx'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { InviteForm } from './invite-form.tsx'

type Person = Answer<'listPeople'>['people'][number]
type MadeLink = Answer<'makePersonLink'>
type Open = { what: 'invite' } | { what: 'delete'; person: Person } | { what: 'link'; made: MadeLink }

export default onlyWith('people:read', People)

function People() {
  const say = useSay()
  const { person: me } = useSession()
  const people = useQuery({ queryKey: keysOf.people, queryFn: async () => (await api.listPeople()).people })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const show = (made: MadeLink) => setOpen({ what: 'link', made })
  const link = useSave((personId: number) => api.makePersonLink({ params: { personId } }), {
    changes: [],
    onDone: show,
  })
  const change = useSave(
    ({ id, role }: { id: number; role: Person['role'] }) =>
      api.updatePerson({ params: { personId: id }, body: { role } }),
    { changes: ['people'], told: say('personSaved') },
  )
  const row = (person: Person) => {
    const other = person.role === 'admin' ? 'dispatcher' : 'admin'
    return {
      key: person.id,
      cells: [
        person.id === me.id ? `${person.name} (${say('you')})` : person.name,
        person.email,
        say(`role${person.role}`),
        say(person.hasPassword ? 'hasPassword' : 'invited'),
      ],
      menu: (
        <RowMenu name={person.name}>
          <MenuItem onSelect={() => link.mutate(person.id)}>{say('personLink')}</MenuItem>
          <MenuItem onSelect={() => change.mutate({ id: person.id, role: other })}>
            {say(other === 'admin' ? 'makeAdmin' : 'makeDispatcher')}
          </MenuItem>
          <MenuItem danger onSelect={() => setOpen({ what: 'delete', person })}>
            {say('delete')}
          </MenuItem>
        </RowMenu>
      ),
    }
  }
  return (
    <ListPage
      title="people"
      lead="peopleLead"
      none={{ picture: <UserCog />, title: 'noPeople', lead: 'noPeopleLead' }}
      add={{ word: 'invitePerson', go: () => setOpen({ what: 'invite' }) }}
      query={people}
      columns={['name', 'email', 'role', 'state']}
      row={row}
    >
      {open?.what === 'invite' && <InviteForm onMade={show} onClose={close} />}
      {open?.what === 'delete' && <DeletePerson person={open.person} onClose={close} />}
      {open?.what === 'link' && <ShownLink made={open.made} onClose={close} />}
    </ListPage>
  )
}

function ShownLink({ made: { person, link, expiresAt }, onClose }: { made: MadeLink; onClose: () => void }) {
  const say = useSay()
  const { dateTime } = useFormats()
  return (
    <Dialog
      title={say('personLink')}
      lead={say('personLinkLead', { name: person.name, time: dateTime(expiresAt) })}
      open
      onClose={onClose}
    >
      <div className="grid gap-3">
        <LinkReach link={link} />
        <CopyText text={link} label={say('personLink')} />
      </div>
    </Dialog>
  )
}

function DeletePerson({ person, onClose }: { person: Person; onClose: () => void }) {
  const say = useSay()
  return (
    <ConfirmWrite
      title={person.name}
      action={say('delete')}
      write={() => api.deletePerson({ params: { personId: person.id } })}
      changes={['people']}
      told={say('personDeleted')}
      onClose={onClose}
    >
      {say('deletePersonLead', { name: person.name })}
    </ConfirmWrite>
  )
}
