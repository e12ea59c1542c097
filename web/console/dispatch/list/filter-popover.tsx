import { ListFilter } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy } from 'react'
import { useIsShop } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, SelectField } from '../../../ui/field.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { AboutPartners } from '../../tasks/hand-over/about-partners.tsx'

const PartnerFilter = lazy(() => import('./partner-filter.tsx'))

export const noFilters = {
  q: undefined,
  status: undefined,
  driver: undefined,
  team: undefined,
  partner: undefined,
  risk: undefined,
  doubt: undefined,
}

/** Team, driver, partner, risk and doubt; the button shows how many are active. */
export function FilterPopover() {
  const say = useSay()
  const { filters, change, drivers, teams } = useDispatch()
  const isShop = useIsShop()
  const on = [filters.team, filters.driver, filters.partner, filters.risk, filters.doubt].filter(Boolean).length
  const idOf = (value: string) => (value ? Number(value) : undefined)
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button aria-label={on > 0 ? `${say('filters')}, ${say('filtersOn', { n: on })}` : say('filters')}>
          <ListFilter aria-hidden />
          {on > 0 && (
            <span className="numbers rounded-full bg-brand px-1.5 text-[11px] text-on-brand leading-4">{on}</span>
          )}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          aria-label={say('filters')}
          className="z-50 grid w-72 gap-3 rounded-lg border border-line bg-raised p-3 shadow-raised"
        >
          {!isShop && (
            <>
              <SelectField
                label={say('team')}
                value={filters.team ?? ''}
                onChange={(event) => change({ team: idOf(event.target.value) })}
              >
                <option value="">{say('allTeams')}</option>
                {teams.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectField>
              <SelectField
                label={say('driver')}
                value={filters.driver ?? ''}
                onChange={(event) => change({ driver: idOf(event.target.value) })}
              >
                <option value="">{say('allDrivers')}</option>
                {drivers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectField>
            </>
          )}
          <AboutPartners>
            <PartnerFilter />
          </AboutPartners>
          <Checkbox
            label={say('onlyAtRisk')}
            checked={filters.risk === true}
            onChange={(event) => change({ risk: event.target.checked || undefined })}
          />
          <Checkbox
            label={say('onlyAddressesToCheck')}
            checked={filters.doubt === true}
            onChange={(event) => change({ doubt: event.target.checked || undefined })}
          />
          <Button onClick={() => change(noFilters)}>{say('clearFilters')}</Button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
