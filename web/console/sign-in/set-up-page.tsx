import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import { countryCodes } from '../../../core/currency.ts'
import { firstOrganisation } from '../../../core/first-organisation.ts'
import { api } from '../../api/client.ts'
import { type Company, keysOf } from '../../api/data.ts'
import { localeOf } from '../../api/formats.ts'
import type { Session } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { textOf } from '../../ui/form.tsx'
import { fieldProblem, otherProblem } from '../../ui/save.ts'
import { useSpeech } from '../../words/console.ts'
import { useLaterSay } from '../../words/later.ts'
import { FrontDoor } from './front-door.tsx'
import { moveTo, type Place, suggestPlace } from './suggest-place.ts'

const fields = ['name', 'country', 'timezone', 'currency']

/** Asked once, after the first sign-in: whose console this is, and where. */
export default function SetUpPage({ company, session }: { company: Company; session: Session }) {
  const { language } = useSpeech()
  const say = useLaterSay('firstSteps')
  const client = useQueryClient()
  const [place, setPlace] = useState(() => firstPlace(company))
  const save = useMutation({
    mutationFn: async (form: FormData) => {
      const name = textOf(form, 'yourName') ?? session.person.name
      const { person } = await api.updatePerson({ params: { personId: session.person.id }, body: { name } })
      const body = { name: textOf(form, 'organisation') ?? '', ...place, firstSteps: 'open' } as const
      return { person, company: (await api.updateCompany({ body })).company }
    },
    onSuccess({ person, company }) {
      client.setQueryData<Session>(['session'], { ...session, person })
      client.setQueryData<Company>(keysOf.company, company)
    },
  })
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames([localeOf(language, navigator.languages)], { type: 'region' })
    const named = countryCodes.map((code) => ({ code, name: names.of(code) ?? code }))
    return named.sort((one, other) => one.name.localeCompare(other.name, language))
  }, [language])
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  const isStill = (value: string, given: string) => (value === given ? '' : value)
  return (
    <FrontDoor title={say('setUpTitle')} lead={say('setUpLead')} below={say('setUpLater')}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label={say('yourName')}
          hint={say('yourNameHint')}
          name="yourName"
          autoComplete="name"
          defaultValue={isStill(session.person.name, firstOrganisation.admin)}
          maxLength={longest.name}
          required
          autoFocus
        />
        <TextField
          label={say('organisationName')}
          hint={say('organisationNameHint')}
          name="organisation"
          autoComplete="organization"
          defaultValue={isStill(company.name, firstOrganisation.name)}
          maxLength={longest.name}
          required
          error={wrong('name')}
        />
        <SelectField
          label={say('country')}
          value={place.country}
          error={wrong('country')}
          onChange={({ target }) => setPlace((before) => moveTo(target.value, before))}
        >
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={say('timezone')}
          value={place.timezone}
          error={wrong('timezone')}
          onChange={({ target }) => setPlace((before) => ({ ...before, timezone: target.value }))}
        >
          {[...new Set([place.timezone, ...Intl.supportedValuesOf('timeZone')])].map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={say('currency')}
          value={place.currency}
          error={wrong('currency')}
          onChange={({ target }) => setPlace((before) => ({ ...before, currency: target.value }))}
        >
          {[...new Set([place.currency, ...Intl.supportedValuesOf('currency')])].map((code) => (
            <option key={code}>{code}</option>
          ))}
        </SelectField>
        {save.error && (
          <p role="alert" className="text-bad empty:hidden">
            {otherProblem(save.error, fields, say)}
          </p>
        )}
        <Button type="submit" look="primary" busy={save.isPending}>
          {say('setUpSave')}
        </Button>
      </form>
    </FrontDoor>
  )
}

/** What the operator chose stays; what nobody chose is where the browser is. */
function firstPlace({ country: { id: country }, timezone, currency }: Company): Place {
  const given = { country, timezone, currency }
  const isChosen = (Object.keys(given) as (keyof Place)[]).some((name) => given[name] !== firstOrganisation[name])
  return isChosen ? given : { ...given, ...suggestPlace() }
}
