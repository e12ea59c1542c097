import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { useSay, type Word } from '../../../words/console.ts'
import type { Draft, FieldName } from './draft.ts'
import { useForm } from './form-context.tsx'

type NamesOf<Kind> = { [Name in FieldName]: Draft[Name] extends Kind ? Name : never }[FieldName]
type TextName = NamesOf<string>

/** Connects a control with its field of the draft. */
function useBound(name: TextName, label: Word, hint?: Word) {
  const say = useSay()
  const { draft, problems, type } = useForm()
  return {
    label: say(label),
    value: draft[name],
    error: problems[name],
    ...(hint && { hint: say(hint) }),
    onChange: (event: { target: { value: string } }) => type({ [name]: event.target.value }),
  }
}

interface Props {
  name: TextName
  label: Word
  hint?: Word
}

export function BoundText({ name, label, hint, ...rest }: Props & Omit<ComponentProps<'input'>, 'name'>) {
  return (
    <WithTheirs name={name} label={label}>
      <TextField autoComplete="off" {...rest} {...useBound(name, label, hint)} />
    </WithTheirs>
  )
}

export function BoundArea({ name, label, hint, ...rest }: Props & Omit<ComponentProps<'textarea'>, 'name'>) {
  return (
    <WithTheirs name={name} label={label}>
      <TextArea {...rest} {...useBound(name, label, hint)} />
    </WithTheirs>
  )
}

/** Makes a value readable. */
type Tell = (value: string) => string

export function BoundSelect({ name, label, hint, tell, children }: Props & { tell: Tell; children: ReactNode }) {
  return (
    <WithTheirs name={name} label={label} tell={tell}>
      <SelectField {...useBound(name, label, hint)}>{children}</SelectField>
    </WithTheirs>
  )
}

export function BoundCheck({ name, label, hint }: { name: NamesOf<boolean>; label: Word; hint?: Word }) {
  const say = useSay()
  const { draft, type } = useForm()
  return (
    <Checkbox
      label={say(label)}
      {...(hint && { hint: say(hint) })}
      checked={draft[name]}
      onChange={(event) => type({ [name]: event.target.checked })}
    />
  )
}

/** The field, and below it the value someone else has saved in the meantime. */
export function WithTheirs({
  name,
  label,
  tell,
  children,
}: {
  name: TextName
  label: Word
  tell?: Tell
  children: ReactNode
}) {
  const { theirs } = useForm()
  const value = theirs[name]
  // The same element in both cases, so that the field keeps the focus when this appears.
  return (
    <div className={value === undefined ? undefined : 'rounded-md bg-waiting-soft p-2'}>
      {children}
      {value !== undefined && <Theirs name={name} label={label} text={tell ? tell(value) : readable(value)} />}
    </div>
  )
}

const readable: Tell = (value) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? value.replace('T', ' ') : value)

/** The other value, with a button to use it instead of the typed one. */
export function Theirs({ name, label, text }: { name: FieldName; label: Word; text: string }) {
  const say = useSay()
  const { takeTheirs } = useForm()
  return (
    <p className="mt-1 flex items-center gap-2 text-waiting">
      <span className="min-w-0 grow [overflow-wrap:anywhere]">
        {say('changedMeanwhile', { value: text || say('meanwhileEmpty') })}
      </span>
      <Button
        className="!h-6"
        aria-label={say('takeTheirsFor', { field: say(label) })}
        onClick={() => takeTheirs(name)}
      >
        {say('takeTheirs')}
      </Button>
    </p>
  )
}
