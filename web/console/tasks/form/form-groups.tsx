import { ChevronRight, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { useDrivers, useForms, useSetting, useTeams } from '../../../api/data.ts'
import { useIsShop } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { useSay, type Word } from '../../../words/console.ts'
import { DriverMenu } from '../../day/driver-menu.tsx'
import { AddressBlock } from './address-block.tsx'
import { BoundArea, BoundCheck, BoundSelect, BoundText } from './bound-fields.tsx'
import { CustomFields } from './custom-fields.tsx'
import { emptyDraft, type FieldName, isSame } from './draft.ts'
import { useForm } from './form-context.tsx'

const pair = 'grid grid-cols-2 gap-3 max-sm:grid-cols-1'

/** The fields nearly every task needs. */
export function Essentials() {
  const say = useSay()
  const { isNew } = useForm()
  const isShop = useIsShop()
  const { timeZone } = useFormats()
  const hasOwnAwbs = useSetting('enableAWB') !== false
  return (
    <div className="grid gap-3">
      <AddressBlock />
      <div className={pair}>
        <BoundText name="completeAfter" label="completeAfter" type="datetime-local" max="9999-12-31T23:59" />
        <BoundText name="completeBefore" label="completeBefore" type="datetime-local" max="9999-12-31T23:59" />
      </div>
      <p className="-mt-2 text-ink-faint text-xs">{say('timesInZone', { zone: timeZone.replaceAll('_', ' ') })}</p>
      <div className={pair}>
        <BoundText name="customerName" label="customerName" maxLength={longest.name} />
        <BoundText name="customerPhone" label="customerPhone" type="tel" maxLength={longest.phone} />
      </div>
      <BoundArea name="details" label="details" maxLength={longest.text} rows={2} />
      {(hasOwnAwbs || isNew) && (
        <div className={pair}>
          {hasOwnAwbs && (
            <BoundText name="awb" label="awb" maxLength={longest.awb} {...(isNew && { hint: 'awbHint' as const })} />
          )}
          {isNew && !isShop && <DriverField />}
        </div>
      )}
    </div>
  )
}

function DriverField() {
  const say = useSay()
  const { draft, problems, type } = useForm()
  const { data: drivers = [] } = useDrivers()
  const chosen = drivers.find(({ id }) => String(id) === draft.userId)
  return (
    <Field label={say('driver')} error={problems.userId}>
      {(control) => (
        <DriverMenu
          noneLabel={chosen && say('noDriver')}
          onPick={(driver) => type({ userId: driver ? String(driver.id) : '' })}
          trigger={
            <Button
              {...control}
              aria-label={`${say('driver')}: ${chosen?.name ?? say('noDriver')}`}
              className="!justify-between"
            >
              <span className="truncate">{chosen?.name ?? say('noDriver')}</span>
              <ChevronsUpDown aria-hidden className="text-ink-faint" />
            </Button>
          }
        />
      )}
    </Field>
  )
}

/** The other fields, collapsed until opened or filled. */
export function FoldedGroups() {
  const say = useSay()
  const isShop = useIsShop()
  const { isNew } = useForm()
  return (
    <div className="mt-4 border-line border-t">
      <Group
        word="addressParts"
        names={[
          'coordinates',
          'addressSecondLine',
          'streetName',
          'streetNumber',
          'city',
          'area',
          'postalCode',
          'country',
        ]}
      >
        <BoundText name="coordinates" label="coordinates" hint="coordinatesHint" />
        <BoundText name="addressSecondLine" label="addressSecondLine" maxLength={longest.addressLine} />
        <div className={pair}>
          <BoundText name="streetName" label="streetName" maxLength={longest.name} />
          <BoundText name="streetNumber" label="streetNumber" maxLength={longest.streetNumber} />
          <BoundText name="city" label="city" maxLength={longest.name} />
          <BoundText name="area" label="area" maxLength={longest.name} />
          <BoundText name="postalCode" label="postalCode" maxLength={longest.postalCode} />
          <BoundText name="country" label="country" hint="countryHint" maxLength={longest.country} />
        </div>
      </Group>
      <Group word="payment" names={['totalPrice', 'deliveryPrice', 'collectPayment', 'paymentTypeId']}>
        <div className={pair}>
          <BoundText name="totalPrice" label="totalPrice" inputMode="decimal" maxLength={longest.amount} />
          <BoundText name="deliveryPrice" label="deliveryPrice" inputMode="decimal" maxLength={longest.amount} />
          <BoundSelect
            name="collectPayment"
            label="collectPayment"
            tell={(value) => say(value === 'yes' ? 'yes' : 'no')}
          >
            {isNew && <option value="">{say('collectByPrice')}</option>}
            <option value="yes">{say('yes')}</option>
            <option value="no">{say('no')}</option>
          </BoundSelect>
          <BoundSelect name="paymentTypeId" label="paymentType" tell={(value) => say(value === '2' ? 'card' : 'cash')}>
            <option value="1">{say('cash')}</option>
            <option value="2">{say('card')}</option>
          </BoundSelect>
        </div>
      </Group>
      <Group word="loadAndTime" names={['quantity', 'serviceTime', 'priority', 'pickupTask']}>
        <div className={pair}>
          <BoundText name="quantity" label="quantity" inputMode="numeric" />
          <BoundText name="serviceTime" label="serviceMinutes" inputMode="numeric" />
          <BoundText name="priority" label="priority" hint="priorityHint" inputMode="numeric" />
        </div>
        <BoundCheck name="pickupTask" label="pickupTask" hint="pickupHint" />
      </Group>
      <Group word="moreOfCustomer" names={['customerEmail', 'customerNotes', 'sendNotifications']}>
        <BoundText name="customerEmail" label="customerEmail" type="email" maxLength={longest.email} />
        <BoundArea name="customerNotes" label="customerNotes" maxLength={longest.text} rows={2} />
        <BoundCheck name="sendNotifications" label="sendNotifications" />
      </Group>
      {/* Who delivers has teams and forms of its own. */}
      {!isShop && (
        <Group word="orderAndTeam" names={['teamId', 'formId', 'dependencies']}>
          <TeamField />
          <FormField />
          <BoundText name="dependencies" label="dependencies" hint="dependenciesHint" />
        </Group>
      )}
      <Group word="ownData" names={['customFields', 'inventory']}>
        <CustomFields />
        <BoundArea name="inventory" label="inventory" hint="inventoryHint" rows={2} />
      </Group>
    </div>
  )
}

/** Where a team needs a driver, a task without one can only lose the team it has. */
function TeamField() {
  const say = useSay()
  const { draft } = useForm()
  const { data: teams = [] } = useTeams()
  const isFree = useSetting('enableTeamAssignment') !== false || draft.userId !== ''
  const offered = isFree ? teams : teams.filter(({ id }) => String(id) === draft.teamId)
  if (!isFree && draft.teamId === '') return null
  return (
    <BoundSelect
      name="teamId"
      label="team"
      tell={(value) => teams.find(({ id }) => String(id) === value)?.name ?? say('noTeam')}
    >
      <option value="">{say('noTeam')}</option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </BoundSelect>
  )
}

/** Without forms there is nothing to choose. */
function FormField() {
  const say = useSay()
  const { draft } = useForm()
  const { data: forms = [] } = useForms()
  if (forms.length === 0) return null
  const isDeleted = draft.formId !== '' && !forms.some(({ id }) => String(id) === draft.formId)
  const tell = (value: string) => forms.find(({ id }) => String(id) === value)?.name ?? say('defaultForm')
  return (
    <BoundSelect name="formId" label="form" tell={tell}>
      <option value="">{say('defaultForm')}</option>
      {forms.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {isDeleted && <option value={draft.formId}>{say('deletedForm')}</option>}
    </BoundSelect>
  )
}

function Group({ word, names, children }: { word: Word; names: FieldName[]; children: ReactNode }) {
  const say = useSay()
  const { draft, problems, theirs } = useForm()
  const filled = names.filter((name) => !isSame(draft[name], emptyDraft[name])).length
  const mustShow = names.some((name) => problems[name] || theirs[name] !== undefined)
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      open={isOpen || mustShow}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-line border-b"
    >
      <summary className="flex h-9 cursor-pointer list-none items-center gap-1.5 font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-ink-faint transition-transform group-open:rotate-90" />
        {say(word)}
        {filled > 0 && <span className="text-ink-faint text-xs">{say('filledIn', { n: filled })}</span>}
      </summary>
      <div className="grid gap-3 pt-1 pb-4 pl-5">{children}</div>
    </details>
  )
}
