import type { ReactNode } from 'react'
import { longest } from '../../../contract/limits.ts'
import type { Answer, Answered, FormField } from '../../../core/form.ts'
import { labelIn } from '../../tasks/answers.ts'
import { join } from '../../ui/class-names.ts'
import { useSay, useSpeech } from '../../words/driver.ts'
import { fileIdOf, Picture } from '../looks/picture.tsx'
import { TakePhoto } from './photos.tsx'

interface Props {
  taskId: number
  fields: readonly FormField[]
  answers: readonly Answered[]
  missing: readonly FormField[]
  onAnswer: (field_key: string, answer: Answer) => void
}

/** The questions of the organisation. What must be answered and is not is tinted. */
export function FormFields({ taskId, fields, answers, missing, onAnswer }: Props) {
  const say = useSay()
  const { language } = useSpeech()
  return fields.map((field) => {
    const isMissing = missing.includes(field)
    const answer = answers.find(({ field_key }) => field_key === field.field_key)?.answer
    const label = labelIn(field, language)
    return (
      <fieldset
        key={field.field_key}
        id={`field-${field.field_key}`}
        tabIndex={-1}
        className={join(
          'min-w-0 rounded-xl border p-3',
          isMissing ? 'border-waiting bg-waiting-soft' : 'border-line bg-surface',
        )}
      >
        <legend className="sr-only">{label}</legend>
        <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-2">
          <span aria-hidden className="font-semibold text-large">
            {label}
          </span>
          {isMissing && <span className="font-semibold text-waiting">{say('stepMissing')}</span>}
        </div>
        <Question
          taskId={taskId}
          field={field}
          label={label}
          answer={answer}
          onAnswer={(given) => onAnswer(field.field_key, given)}
        />
      </fieldset>
    )
  })
}

interface QuestionProps {
  taskId: number
  field: FormField
  label: string
  answer: Answer | undefined
  onAnswer: (answer: Answer) => void
}

/** As the server reads it; what is not a number stays as it was typed, and the driver is told. */
function numberIn(text: string): string {
  const number = text.trim().replace(',', '.')
  return Number.isFinite(Number(number)) ? number : text
}

/** More than these do not fit side by side and become a list. */
const mostSideBySide = 3

function Question({ taskId, field, label, answer, onAnswer }: QuestionProps) {
  const say = useSay()
  switch (field.type) {
    case 'check':
      return (
        <Options
          name={field.field_key}
          options={[
            [true, say('yes')],
            [false, say('no')],
          ]}
          chosen={answer}
          onChoose={onAnswer}
        />
      )
    case 'choice':
      return (
        <Options
          name={field.field_key}
          options={field.choices.map((choice) => [choice, choice])}
          chosen={answer}
          onChoose={onAnswer}
        />
      )
    case 'photo':
      return (
        <div className="flex flex-wrap gap-2">
          {typeof answer === 'string' && <Picture fileId={fileIdOf(answer)} label={label} />}
          <TakePhoto taskId={taskId} kind="answer" hasSome={answer !== undefined} onKept={onAnswer} />
        </div>
      )
    default:
      return (
        <input
          aria-label={label}
          maxLength={longest.typedAnswer}
          className="min-h-13 w-full rounded-xl border border-line-strong bg-surface px-3"
          {...(field.type === 'number' && { inputMode: 'decimal' })}
          defaultValue={answer === undefined ? '' : String(answer)}
          onChange={({ target }) => onAnswer(field.type === 'number' ? numberIn(target.value) : target.value)}
        />
      )
  }
}

interface OptionsProps<Value> {
  name: string
  options: readonly (readonly [Value, ReactNode])[]
  chosen: Value | undefined
  onChoose: (value: Value) => void
}

/** One of a few; each is as large as a thumb. */
export const Options = <Value extends Answer>({ name, options, chosen, onChoose }: OptionsProps<Value>) => (
  <div className={join('gap-2', options.length > mostSideBySide ? 'grid' : 'flex flex-wrap')}>
    {options.map(([value, text]) => (
      <label
        key={String(value)}
        className={join(
          'relative flex min-h-13 flex-1 items-center justify-center gap-2 rounded-xl border px-3 py-2 text-center font-semibold',
          'has-focus-visible:outline-3 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
          chosen === value ? 'border-brand bg-chosen ring-2 ring-brand' : 'border-line-strong bg-surface',
        )}
      >
        <input
          type="radio"
          name={name}
          className="sr-only"
          checked={chosen === value}
          onChange={() => onChoose(value)}
        />
        {text}
      </label>
    ))}
  </div>
)
