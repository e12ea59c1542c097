import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Plus, UserCog } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import { useMay, useSession } from '../../../api/session.ts'
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
import { InviteForm } from './invite-form.tsx'

type Person = Answer<'listPeople'>['people'][number]
export type MadeLink = Answer<'makePersonLink'>
type Open = { what: 'invite' } | { what: 'delete'; person: Person } | { what: 'link'; made: MadeLink }

export default function PeoplePage() {
  const may = useMay()
  return may('people:read') ? <People /> : <ForbiddenState />
}

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
    { changes: ['people'], told: 'personSaved' },
  )
  const add = (
    <Button look="primary" onClick={() => setOpen({ what: 'invite' })}>
      <Plus aria-hidden />
      {say('invitePerson')}
    </Button>
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
        <Menu
          trigger={
            <IconButton label={`${say('more')}: ${person.name}`}>
              <Ellipsis />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => link.mutate(person.id)}>{say('personLink')}</MenuItem>
          <MenuItem onSelect={() => change.mutate({ id: person.id, role: other })}>
            {say(other === 'admin' ? 'makeAdmin' : 'makeDispatcher')}
          </MenuItem>
          <MenuItem danger onSelect={() => setOpen({ what: 'delete', person })}>
            {say('delete')}
          </MenuItem>
        </Menu>
      ),
    }
  }
  return (
    <Page title={say('people')} lead={say('peopleLead')} actions={add}>
      <Listing
        query={people}
        empty={{ picture: <UserCog />, title: 'noPeople', lead: 'noPeopleLead', action: add }}
        columns={['name', 'email', 'role', 'state']}
      >
        {row}
      </Listing>
      {open?.what === 'invite' && <InviteForm onMade={show} onClose={close} />}
      {open?.what === 'delete' && <DeletePerson person={open.person} onClose={close} />}
      {open?.what === 'link' && <ShownLink made={open.made} onClose={close} />}
    </Page>
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
      <CopyText text={link} label={say('personLink')} />
    </Dialog>
  )
}

function DeletePerson({ person, onClose }: { person: Person; onClose: () => void }) {
  const say = useSay()
  const remove = useSave(() => api.deletePerson({ params: { personId: person.id } }), {
    changes: ['people'],
    told: 'personDeleted',
    onDone: onClose,
  })
  return (
    <Confirm
      title={person.name}
      action={say('delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      {say('deletePersonLead', { name: person.name })}
    </Confirm>
  )
}
