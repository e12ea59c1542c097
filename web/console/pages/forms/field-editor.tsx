import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { longest } from '../../../../contract/limits.ts'
import { type FieldType, fieldTypes, type Moment, moments } from '../../../../core/form.ts'
import { languages } from '../../../../core/words/languages.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Checkbox, SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { useSay } from '../record-words.ts'
import type { FieldDraft } from './form-draft.ts'

interface Props {
  field: FieldDraft
  /** From 1. */
  number: number
  isLast: boolean
  /** What the server says about a part of it. */
  wrong: (part: string) => string | undefined
  onChange: (changed: Partial<FieldDraft>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** One question of a form. */
export function FieldEditor({ field, number, isLast, wrong, onChange, onMove, onRemove }: Props) {
  const say = useSay()
  const n = String(number)
  return (
    <fieldset className="grid gap-3 rounded-md border border-line p-3">
      <legend className="sr-only">{say('formField', { n })}</legend>
      <div className="flex items-center gap-1">
        <span aria-hidden className="grow font-medium">
          {say('formField', { n })}
        </span>
        <IconButton label={say('moveFieldUp', { n })} disabled={number === 1} onClick={() => onMove(-1)}>
          <ArrowUp />
        </IconButton>
        <IconButton label={say('moveFieldDown', { n })} disabled={isLast} onClick={() => onMove(1)}>
          <ArrowDown />
        </IconButton>
        <IconButton label={say('removeFormField', { n })} onClick={onRemove}>
          <X />
        </IconButton>
      </div>
      <TextField
        label={say('fieldLabel')}
        required
        maxLength={longest.name}
        value={field.label}
        error={wrong('label')}
        onChange={(event) => onChange({ label: event.target.value })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={say('fieldType')}
          value={field.type}
          onChange={(event) => onChange({ type: event.target.value as FieldType })}
        >
          {fieldTypes.map((type) => (
            <option key={type} value={type}>
              {say(`field_${type}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={say('fieldAt')}
          value={field.at}
          onChange={(event) => onChange({ at: event.target.value as Moment })}
        >
          {moments.map((at) => (
            <option key={at} value={at}>
              {say(`at_${at}`)}
            </option>
          ))}
        </SelectField>
      </div>
      {field.type === 'choice' && (
        <TextArea
          label={say('fieldChoices')}
          required
          rows={3}
          value={field.choices}
          error={wrong('choices')}
          onChange={(event) => onChange({ choices: event.target.value })}
        />
      )}
      <Checkbox
        label={say('fieldRequiredLabel')}
        checked={field.required}
        onChange={(event) => onChange({ required: event.target.checked })}
      />
      <details open={wrong('field_key') !== undefined || undefined}>
        <summary className="cursor-pointer text-ink-soft">{say('moreOfField')}</summary>
        <div className="grid gap-3 pt-2">
          {Object.entries(languages).map(([code, { name: language }]) => (
            <TextField
              key={code}
              label={say('fieldLabelIn', { language })}
              maxLength={longest.name}
              value={field.labels[code] ?? ''}
              onChange={(event) => onChange({ labels: { ...field.labels, [code]: event.target.value } })}
            />
          ))}
          <TextField
            label={say('fieldKeyLabel')}
            hint={say('fieldKeyHint')}
            maxLength={longest.fieldKey}
            value={field.field_key}
            error={wrong('field_key')}
            onChange={(event) => onChange({ field_key: event.target.value })}
          />
        </div>
      </details>
    </fieldset>
  )
}
