import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useLeave } from '../../../ui/unsaved.ts'
import { hasPlace } from './columns.ts'
import type { Step, Steps } from './steps.ts'
import { useSay } from './words.ts'

/** The buttons of a step. Those that close the dialog ask like Escape about what nobody else keeps. */
export function Footer({ steps }: { steps: Steps }) {
  const say = useSay()
  const leave = useLeave()
  const { step, setStep, opened, isReady, isChecking, sendRest } = steps
  const { mapping } = opened
  const { creates, changing, isAsking } = steps.rows
  const { interrupted, isStopping, rest, halt } = steps.sending
  const footers: Record<Step, ReactNode> = {
    file: <Button onClick={leave}>{say('cancel')}</Button>,
    columns: (
      <>
        <Button onClick={() => setStep('file')}>{say('back')}</Button>
        <Button
          look="primary"
          disabled={(!hasPlace(mapping) && !mapping.includes('awb')) || !isReady}
          busy={isChecking}
          onClick={steps.checkSheet}
        >
          {say(isChecking ? 'importChecking' : 'next')}
        </Button>
      </>
    ),
    check: (
      <>
        {opened.file && <Button onClick={() => setStep('columns')}>{say('back')}</Button>}
        <Button
          look="primary"
          disabled={creates.length + changing.length === 0 || isAsking}
          onClick={() => void steps.send()}
        >
          {changing.length === 0
            ? say('importNow', { n: creates.length })
            : creates.length === 0
              ? say('updateNow', { n: changing.length })
              : say('importAndUpdate', { created: creates.length, updated: changing.length })}
        </Button>
      </>
    ),
    sending: interrupted ? (
      <>
        <Button onClick={leave}>{say('close')}</Button>
        <Button look="primary" onClick={sendRest}>
          {say('importGoOn')}
        </Button>
      </>
    ) : (
      <Button disabled={isStopping} onClick={halt}>
        {say(isStopping ? 'importStopping' : 'importStop')}
      </Button>
    ),
    report: (
      <>
        {rest > 0 && <Button onClick={sendRest}>{say('importSendRest', { n: rest })}</Button>}
        {(rest === 0 || steps.work?.isKept) && <Button onClick={steps.startAnother}>{say('importAnother')}</Button>}
        <Button look="primary" onClick={leave}>
          {say('finish')}
        </Button>
      </>
    ),
  }
  return footers[step]
}
