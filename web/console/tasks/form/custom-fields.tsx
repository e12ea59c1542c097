import { Plus, X } from 'lucide-react'
import { longest } from '../../../../contract/limits.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { inputLook } from '../../../ui/field.tsx'
import { useSay } from '../../../words/console.ts'
import { Theirs } from './bound-fields.tsx'
import type { CustomField } from './draft.ts'
import { useForm } from './form-context.tsx'

/** Custom fields: any number, each with a name and a value. */
export function CustomFields() {
  const say = useSay()
  const { draft, theirs, problems, type } = useForm()
  const { customFields } = draft
  const change = (at: number, changed: Partial<CustomField>) =>
    type({ customFields: customFields.map((field, index) => (index === at ? { ...field, ...changed } : field)) })
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium text-ink-soft">{say('customFields')}</legend>
      {customFields.map(({ key, value }, at) => {
        const n = String(at + 1)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed, positions do not
          <div key={at} className="flex gap-2">
            <input
              aria-label={say('customFieldName', { n })}
              placeholder={say('name')}
              maxLength={longest.name}
              className={inputLook}
              value={key}
              onChange={(event) => change(at, { key: event.target.value })}
            />
            <input
              aria-label={say('customFieldValue', { n })}
              className={inputLook}
              value={value}
              onChange={(event) => change(at, { value: event.target.value })}
            />
            <IconButton
              label={say('removeCustomField', { n })}
              onClick={() => type({ customFields: customFields.filter((_, index) => index !== at) })}
            >
              <X />
            </IconButton>
          </div>
        )
      })}
      {theirs.customFields && (
        <Theirs
          name="customFields"
          label="customFields"
          text={theirs.customFields.map(({ key, value }) => `${key}: ${value}`).join(', ')}
        />
      )}
      {problems.customFields && <p className="text-bad">{problems.customFields}</p>}
      <Button
        className="justify-self-start"
        onClick={() => type({ customFields: [...customFields, { key: '', value: '' }] })}
      >
        <Plus aria-hidden />
        {say('addCustomField')}
      </Button>
    </fieldset>
  )
}
