import { useEffect, useRef, useState } from 'react'
import { type SettingName, settings } from '../../../../core/settings.ts'
import { api } from '../../../api/client.ts'
import { type Company, useCompany } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { ForbiddenState, Loaded } from '../../../ui/state.tsx'
import { useFormChanges, useUnsaved } from '../../../ui/unsaved.ts'
import { useSay } from '../../../words/console.ts'
import { useSettingTexts } from '../setting-texts.ts'
import { OrganisationFields, readOrganisation } from './organisation-fields.tsx'
import { readSetting, SettingField } from './setting-field.tsx'

const grouped = Object.groupBy(Object.keys(settings) as SettingName[], (name) => settings[name].part)
const byPart = Object.entries(grouped) as [keyof typeof grouped, SettingName[]][]

export default function SettingsPage() {
  const say = useSay()
  const may = useMay()
  const company = useCompany()
  if (!may('company:write')) return <ForbiddenState />
  return (
    <Page title={say('settings')} lead={say('settingsLead')}>
      <Loaded query={company}>{(data) => <Settings company={data} />}</Loaded>
    </Page>
  )
}

/** Shows the settings as they are stored, but while something is typed only as they were when that began. */
function Settings({ company }: { company: Company }) {
  const [shown, setShown] = useState(company)
  const isChanged = useRef(() => false)
  useEffect(() => {
    if (!isChanged.current()) setShown(company)
  }, [company])
  return <SettingsForm key={shown.updatedAt} company={shown} isChanged={isChanged} onSaved={setShown} />
}

type Body = Parameters<typeof api.updateCompany>[0]['body']

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether a number that counts down to something irreversible comes nearer; 0 is never. */
const isSooner = (before: unknown, after: unknown) =>
  Number(after) > 0 && (Number(before) === 0 || Number(after) < Number(before))

/**
 * Made from the table of settings: a new row there is a new field here. Only changed settings are sent, and one with a
 * warning only if that was read.
 */
function SettingsForm({
  company,
  isChanged,
  onSaved,
}: {
  company: Company
  isChanged: { current: () => boolean }
  onSaved: (company: Company) => void
}) {
  const say = useSay()
  const save = useSave((body: Body) => api.updateCompany({ body }), {
    changes: ['company'],
    told: say('settingsSaved'),
    onDone: ({ company }) => onSaved(company),
    inForm: true,
  })
  const form = useRef<HTMLFormElement>(null)
  isChanged.current = useFormChanges(form)
  useUnsaved(() => !save.isPending && isChanged.current())
  const texts = useSettingTexts()
  const [warned, setWarned] = useState<{ name: SettingName; body: Body }>()
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  const submit = (form: FormData) => {
    const names = Object.keys(settings) as SettingName[]
    const given = names.map((name) => [name, readSetting(name, form)] as const)
    const changed = given.filter(([name, value]) => value !== undefined && !isSame(value, company.settings[name]))
    const body = { ...readOrganisation(form, company), settings: Object.fromEntries(changed) }
    const risky = changed.find(([name, value]) => texts[name].warning && isSooner(company.settings[name], value))
    if (risky) setWarned({ name: risky[0], body })
    else save.mutate(body)
  }
  return (
    <form
      ref={form}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit(new FormData(event.currentTarget))
      }}
    >
      <Card title={say('organisation')}>
        <OrganisationFields company={company} wrong={wrong} />
      </Card>
      {byPart.map(([part, names]) => (
        <Card key={part} title={say(`part_${part}`)}>
          <div className="grid divide-y divide-line">
            {names?.map((name) => (
              <SettingField key={name} name={name} value={company.settings[name]} error={wrong(`settings.${name}`)} />
            ))}
          </div>
        </Card>
      ))}
      <div className="sticky bottom-0 flex items-center justify-end gap-3 border-line border-t bg-page py-3">
        {save.error && (
          <p role="alert" className="text-bad">
            {otherProblem(save.error, [], say)}
          </p>
        )}
        <Button type="submit" look="primary" busy={save.isPending}>
          {say('save')}
        </Button>
      </div>
      {warned && (
        <Confirm
          title={texts[warned.name].name}
          action={say('save')}
          busy={save.isPending}
          onConfirm={() => {
            setWarned(undefined)
            save.mutate(warned.body)
          }}
          onClose={() => setWarned(undefined)}
        >
          {texts[warned.name].warning}
        </Confirm>
      )}
    </form>
  )
}
