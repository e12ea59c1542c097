import { useReasons } from '../../api/data.ts'
import { labelIn } from '../../tasks/answers.ts'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { useSpeech } from '../../words/console.ts'

/** Why a task failed: one of the organisation's reasons, one's own words, or both. */
export interface Failure {
  reasonCode: string
  text: string
}
export const noFailure: Failure = { reasonCode: '', text: '' }

export const failureBody = ({ reasonCode, text }: Failure) => ({
  ...(reasonCode && { reasonCode }),
  ...(text.trim() && { failureReason: text.trim() }),
})

interface Props {
  value: Failure
  onChange: (failure: Failure) => void
  busy: boolean
}

export function FailureFields({ value, onChange, busy }: Props) {
  useUnsaved(() => !busy && value.text.trim() !== '')
  const { say, language } = useSpeech()
  const { data: reasons = [] } = useReasons()
  return (
    <>
      {reasons.length > 0 && (
        <SelectField
          label={say('failureReason')}
          value={value.reasonCode}
          onChange={({ target }) => onChange({ ...value, reasonCode: target.value })}
        >
          <option value="">{say('ownWords')}</option>
          {reasons.map((reason) => (
            <option key={reason.code} value={reason.code}>
              {labelIn(reason, language)}
            </option>
          ))}
        </SelectField>
      )}
      <TextArea
        label={say(reasons.length > 0 ? 'moreAboutReason' : 'failureReason')}
        value={value.text}
        onChange={({ target }) => onChange({ ...value, text: target.value })}
      />
    </>
  )
}
