import { useState } from 'react'
import { useReasons, useSetting } from '../../api/data.ts'
import { labelIn } from '../../tasks/answers.ts'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { useSpeech } from '../../words/console.ts'

/** Why a task failed: one of the organisation's reasons, one's own words, or both. */
export interface Failure {
  reasonCode: string
  text: string
}

/** Begins with the reason the organisation has set for tasks that fail without one. */
export function useFailure() {
  const usual = useSetting('forceCompleteAsFailedCancelReason') ?? ''
  const [failure, setFailure] = useState<Failure>()
  return { value: failure ?? { reasonCode: '', text: usual }, usual, onChange: setFailure }
}

export const failureBody = ({ reasonCode, text }: Failure) => ({
  ...(reasonCode && { reasonCode }),
  ...(text.trim() && { failureReason: text.trim() }),
})

interface Props extends ReturnType<typeof useFailure> {
  busy: boolean
}

export function FailureFields({ value, usual, onChange, busy }: Props) {
  useUnsaved(() => !busy && value.text.trim() !== '' && value.text !== usual)
  const { say, language } = useSpeech()
  const { data: reasons = [] } = useReasons()
  /** One of the list says enough by itself: the usual one stands only where there would be none. */
  const choose = (reasonCode: string) => {
    const untouched = value.text === (value.reasonCode ? '' : usual)
    onChange({ reasonCode, text: untouched ? (reasonCode ? '' : usual) : value.text })
  }
  return (
    <>
      {reasons.length > 0 && (
        <SelectField
          label={say('failureReason')}
          value={value.reasonCode}
          onChange={({ target }) => choose(target.value)}
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
