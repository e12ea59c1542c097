import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { type Setting, type SettingName, settings } from '../../../../core/settings.ts'
import {
  readColumns,
  type TableColumn,
  tableColumnNames,
  usualColumns,
  writeColumns,
} from '../../../../core/table-columns.ts'
import { isLanguage, languages } from '../../../../core/words/languages.ts'
import { usePartners, useTeams } from '../../../api/data.ts'
import { join } from '../../../ui/class-names.ts'
import { Checkbox, inputLook } from '../../../ui/field.tsx'
import { useSay } from '../../../words/console.ts'
import { columnWords } from '../../day/table-columns.ts'
import { type SettingTexts, useSettingTexts } from '../setting-texts.ts'

/** The value of a setting in a form; undefined if the form does not have it. */
export function readSetting(name: SettingName, form: FormData): unknown {
  const setting: Setting = settings[name]
  const text = String(form.get(name) ?? '')
  switch (setting.type) {
    case 'boolean':
      return form.has(name)
    case 'integer':
      return Number(text)
    case 'json':
      return writeColumns(form.getAll(name) as TableColumn[])
    case 'id':
      return text === '' ? null : Number(text)
    case 'secret':
      return text === '' ? undefined : text
    default:
      return text === '' && setting.nullable ? null : text
  }
}

/** One setting: its name, what it does, and the control for its type. */
export function SettingField({ name, value, error }: { name: SettingName; value: unknown; error: string | undefined }) {
  const id = useId()
  const setting: Setting = settings[name]
  const text = useSettingTexts()[name]
  const [isAboveZero, setAboveZero] = useState(Number(value) > 0)
  const control = {
    id,
    name,
    'aria-describedby': `${id}-effect`,
    ...(error && { 'aria-invalid': true }),
    ...(text.warning && {
      onChange: ({ target }: { target: { value: string } }) => setAboveZero(Number(target.value) > 0),
    }),
  }
  if (setting.type === 'json') return <ColumnsField name={name} value={value} error={error} />
  return (
    <div className="grid items-center gap-x-6 gap-y-1 px-4 py-2.5 sm:grid-cols-[1fr_16rem]">
      <div>
        <label htmlFor={id} className="font-medium">
          {text.name}
        </label>
        <p id={`${id}-effect`} className="text-ink-soft">
          {text.effect}
        </p>
        {error && <p className="text-bad">{error}</p>}
        {text.warning && isAboveZero && (
          <p role="status" className="mt-1 flex gap-2 rounded-md bg-waiting-soft px-2.5 py-1.5 text-waiting">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {text.warning}
          </p>
        )}
      </div>
      <div className="sm:justify-self-end">
        <Control setting={setting} value={value} control={control} text={text} />
      </div>
    </div>
  )
}

interface ControlProps {
  id: string
  name: string
  'aria-describedby': string
  'aria-invalid'?: boolean
  onChange?: (event: { target: { value: string } }) => void
}

function Control({
  setting,
  value,
  control,
  text,
}: {
  setting: Setting
  value: unknown
  control: ControlProps
  text: SettingTexts[SettingName]
}) {
  const { choices } = text
  switch (setting.type) {
    case 'boolean':
      return <input {...control} type="checkbox" defaultChecked={value === true} className="size-4 accent-(--brand)" />
    case 'integer':
      if (setting.values)
        return <Choices of={setting.values.map(String)} value={value} control={control} choices={choices} />
      return (
        <input
          {...control}
          type="number"
          min={0}
          max={setting.most}
          defaultValue={Number(value)}
          className={join(inputLook, '!w-32')}
        />
      )
    case 'colour':
      return (
        <input
          {...control}
          type="color"
          defaultValue={String(value)}
          className="h-8 w-16 rounded-md border border-line"
        />
      )
    case 'choice':
      return <Choices of={setting.choices ?? []} value={value} control={control} choices={choices} />
    case 'time':
      return (
        <input {...control} type="time" required defaultValue={String(value)} className={join(inputLook, '!w-32')} />
      )
    case 'id':
      return <Reference of={setting.of} value={value as number | null} control={control} />
    case 'secret':
      return <input {...control} type="password" autoComplete="off" className={inputLook} />
    default:
      if (setting.suggests)
        return <Suggested suggests={setting.suggests} value={String(value ?? '')} control={control} text={text} />
      return <input {...control} type="text" defaultValue={String(value ?? '')} className={inputLook} />
  }
}

/** One of a few values, each with its words. */
function Choices({
  of,
  value,
  control,
  choices,
}: {
  of: readonly string[]
  value: unknown
  control: ControlProps
  choices: Record<string, string> | undefined
}) {
  return (
    <select {...control} defaultValue={String(value)} className={inputLook}>
      {of.map((choice) => (
        <option key={choice} value={choice}>
          {choices?.[choice] ?? (isLanguage(choice) ? languages[choice].name : choice)}
        </option>
      ))}
    </select>
  )
}

interface ReferenceProps {
  of: Setting['of']
  value: number | null
  control: ControlProps
}

/** A partner or a team, or none. What was chosen stays in the list, even if it is gone: it is still stored. */
function Reference({ of, value, control }: ReferenceProps) {
  const say = useSay()
  const partners = usePartners()
  const teams = useTeams()
  const found =
    of === 'team'
      ? teams.data?.map(({ id, name }) => ({ id, name }))
      : partners.data?.flatMap(({ companyId, state, company }) =>
          state === 'partner' ? [{ id: companyId, name: company?.name ?? `#${companyId}` }] : [],
        )
  const isGone = found && value !== null && found.every(({ id }) => id !== value)
  // The list may come after the page: only then is there an option to choose.
  return (
    <select key={found ? 'there' : 'awaited'} {...control} defaultValue={value ?? ''} className={inputLook}>
      <option value="">{say(of === 'team' ? 'allTeams' : 'none')}</option>
      {(found ?? []).map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {(isGone || (!found && value !== null)) && <option value={value ?? ''}>{`#${value}`}</option>}
    </select>
  )
}

interface SuggestedProps {
  suggests: readonly string[]
  value: string
  control: ControlProps
  text: SettingTexts[SettingName]
}

/** A text that is nearly always one of a few: those are named, and anything else can be typed. */
function Suggested({ suggests, value, control: { name, ...control }, text }: SuggestedProps) {
  const say = useSay()
  const [chosen, setChosen] = useState(value)
  const [isOther, setOther] = useState(!suggests.includes(value))
  return (
    <div className="grid gap-1.5">
      <input type="hidden" name={name} value={chosen} />
      <select
        {...control}
        value={isOther ? other : chosen}
        onChange={({ target }) => {
          setOther(target.value === other)
          setChosen(target.value === other ? '' : target.value)
        }}
        className={inputLook}
      >
        {suggests.map((one) => (
          <option key={one} value={one}>
            {text.choices?.[one] ?? one}
          </option>
        ))}
        <option value={other}>{say('otherValue')}</option>
      </select>
      {isOther && (
        <input
          type="text"
          aria-label={say('otherValueOf', { setting: text.name })}
          value={chosen}
          maxLength={longest.setting}
          onChange={({ target }) => setChosen(target.value)}
          className={inputLook}
        />
      )}
    </div>
  )
}

/** No setting suggests this value. */
const other = 'other'

/** The columns of the table, one to tick each. */
function ColumnsField({ name, value, error }: { name: SettingName; value: unknown; error: string | undefined }) {
  const say = useSay()
  const text = useSettingTexts()[name]
  const chosen = readColumns(value) ?? usualColumns
  return (
    <fieldset className="grid gap-2 px-4 py-2.5">
      <legend className="float-left w-full font-medium">{text.name}</legend>
      <p className="text-ink-soft">{text.effect}</p>
      {error && <p className="text-bad">{error}</p>}
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {tableColumnNames.map((column) => (
          <Checkbox
            key={column}
            name={name}
            value={column}
            label={say(columnWords[column])}
            defaultChecked={chosen.includes(column)}
          />
        ))}
      </div>
    </fieldset>
  )
}
