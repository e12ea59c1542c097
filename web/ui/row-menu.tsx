import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSay } from '../words/shared.ts'
import { IconButton } from './button.tsx'
import { Menu, MenuItem } from './menu.tsx'

/** What can be done with one row of a plain table. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const say = useSay()
  const trigger = (
    <IconButton label={`${say('more')}: ${name}`}>
      <Ellipsis />
    </IconButton>
  )
  return <Menu trigger={trigger}>{children}</Menu>
}

export function EditOrDelete({ name, onEdit, onDelete }: { name: string; onEdit: () => void; onDelete: () => void }) {
  const say = useSay()
  return (
    <RowMenu name={name}>
      <MenuItem onSelect={onEdit}>{say('edit')}</MenuItem>
      <MenuItem danger onSelect={onDelete}>
        {say('delete')}
      </MenuItem>
    </RowMenu>
  )
}
