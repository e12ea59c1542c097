import { longest } from '../../../../contract/limits.ts'
import type { Company } from '../../../api/data.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { textOf } from '../../../ui/form.tsx'
import { PictureField } from '../../../ui/picture-field.tsx'
import { useSay } from '../../../words/console.ts'
import { useLaterSay } from '../../../words/later.ts'
import { readWeek, WeekdayHours } from '../weekday-hours.tsx'

const timeZones = Intl.supportedValuesOf('timeZone')

/** The changed fields of the organisation. */
export function readOrganisation(form: FormData, company: Company) {
  const given = {
    name: textOf(form, 'name') ?? '',
    logo: textOf(form, 'logo') ?? '',
    email: textOf(form, 'email') ?? '',
    phone: textOf(form, 'phone'),
    timezone: textOf(form, 'timezone') ?? '',
    currency: textOf(form, 'currency') ?? '',
    country: textOf(form, 'country') ?? '',
  }
  const before = { ...company, country: company.country.id }
  const changed = Object.entries(given).filter(([name, value]) => value !== before[name as keyof typeof given])
  const shiftTimes = readWeek(form)
  return {
    ...(Object.fromEntries(changed) as Partial<typeof given>),
    ...(JSON.stringify(shiftTimes) !== JSON.stringify(company.shiftTimes) && { shiftTimes }),
  }
}

export function OrganisationFields({
  company,
  wrong,
}: {
  company: Company
  wrong: (field: string) => string | undefined
}) {
  const say = useSay()
  return (
    <div className="grid gap-4 p-4 sm:grid-cols-2">
      <PictureField
        className="sm:col-span-2"
        label={say('logo')}
        name="logo"
        path={company.logo}
        error={wrong('logo')}
      />
      <TextField
        label={say('name')}
        name="name"
        defaultValue={company.name}
        required
        maxLength={longest.name}
        error={wrong('name')}
      />
      <TextField label={say('email')} name="email" type="email" defaultValue={company.email} error={wrong('email')} />
      <TextField
        label={say('phone')}
        name="phone"
        type="tel"
        defaultValue={company.phone ?? ''}
        error={wrong('phone')}
      />
      <SelectField label={say('timezone')} name="timezone" defaultValue={company.timezone} error={wrong('timezone')}>
        {[...new Set([company.timezone, ...timeZones])].map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
      <TextField
        label={say('country')}
        name="country"
        defaultValue={company.country.id}
        required
        maxLength={longest.country}
        error={wrong('country')}
      />
      <TextField
        label={say('currency')}
        name="currency"
        defaultValue={company.currency}
        required
        maxLength={longest.currency}
        error={wrong('currency')}
      />
      <OpeningHours company={company} wrong={wrong} />
    </div>
  )
}

/** Used by plans where a driver has no shift. */
function OpeningHours({ company, wrong }: { company: Company; wrong: (field: string) => string | undefined }) {
  const say = useLaterSay('days')
  return (
    <fieldset className="grid gap-2 sm:col-span-2 sm:max-w-md">
      <legend className="mb-1 font-medium text-ink-soft">{say('openingHours')}</legend>
      <p className="text-ink-faint">{say('openingHoursHint')}</p>
      <WeekdayHours hours={company.shiftTimes} usual={{ start: '08:00', end: '18:00' }} wrong={wrong} />
    </fieldset>
  )
}
