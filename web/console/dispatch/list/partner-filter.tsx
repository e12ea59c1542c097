import { usePartners } from '../../../api/data.ts'
import { SelectField } from '../../../ui/field.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { namePartner } from '../../tasks/hand-over/name-partner.ts'

/** Only tasks shared with a partner. Nothing where there are none. */
export default function PartnerFilter() {
  const say = useLaterSay('partners')
  const { filters, change } = useDispatch()
  const { data: all = [] } = usePartners()
  const partners = all.filter(({ state }) => state === 'partner')
  if (partners.length === 0) return null
  return (
    <SelectField
      label={say('partner')}
      value={filters.partner ?? ''}
      onChange={({ target }) => change({ partner: Number(target.value) || undefined })}
    >
      <option value="">{say('allPartners')}</option>
      {partners.map((one) => (
        <option key={one.companyId} value={one.companyId}>
          {namePartner(one, say)}
        </option>
      ))}
    </SelectField>
  )
}
