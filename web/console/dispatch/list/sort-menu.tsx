import { ArrowDownWideNarrow } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuChoice, MenuLabel } from '../../../ui/menu.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { sortings } from '../../day/sorting.ts'

/** How the list and the board are sorted. */
export function SortMenu() {
  const say = useSay()
  const { filters, change } = useDispatch()
  const usual = say(filters.driver ? 'sortRoute' : 'sortNeed')
  const chosen = filters.sort ? say(filters.sort) : usual
  return (
    <Menu
      trigger={
        <Button aria-label={`${say('sortBy')}: ${chosen}`} title={`${say('sortBy')}: ${chosen}`}>
          <ArrowDownWideNarrow aria-hidden />
        </Button>
      }
    >
      <MenuLabel>{say('sortBy')}</MenuLabel>
      <MenuChoice chosen={!filters.sort} onSelect={() => change({ sort: undefined })}>
        {usual}
      </MenuChoice>
      {sortings.map((sort) => (
        <MenuChoice key={sort} chosen={filters.sort === sort} onSelect={() => change({ sort })}>
          {say(sort)}
        </MenuChoice>
      ))}
    </Menu>
  )
}
