import { Dialog } from '../../../ui/dialog.tsx'
import { Unsaved } from '../../../ui/unsaved.ts'
import { CheckStep } from './check-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import { Footer } from './footer.tsx'
import { ReportStep } from './report-step.tsx'
import { SendingStep } from './sending-step.tsx'
import { type Step, useSteps } from './steps.ts'
import { useSay } from './words.ts'

const stepNumbers = { file: 1, columns: 2, check: 3, sending: 4, report: 4 } satisfies Record<Step, number>
const stepWords = {
  file: 'importFile',
  columns: 'importColumns',
  check: 'importCheck',
  sending: 'importTitle',
  report: 'importReport',
} as const satisfies Record<Step, string>

interface Props {
  onClose: () => void
  /** An unfinished import to continue at once. */
  goOn?: string
}

/** Imports tasks from a file, from choosing it to the report. */
export default function ImportDialog({ onClose, goOn }: Props) {
  const say = useSay()
  const steps = useSteps(goOn)
  const { step, day, work, opened, rows, sending } = steps
  const { file, sheet, header, mapping } = opened
  const hasRest = step === 'report' || (step === 'sending' && sending.interrupted !== undefined)
  const isUnsent = step === 'columns' || step === 'check' || (hasRest && sending.rest > 0)
  /** While tasks are being sent the dialog stays open, because closing it would hide the result. */
  const close = () => (step === 'sending' && !sending.interrupted ? sending.halt() : onClose())
  return (
    <Dialog
      title={say('importTitle')}
      lead={`${say('importStep', { step: stepNumbers[step] })} · ${say(stepWords[step])}`}
      open
      onClose={close}
      wide
      footer={<Footer steps={steps} />}
    >
      {/* What this browser keeps can be continued later; anything else would be gone with the dialog. */}
      <Unsaved isChanged={() => isUnsent && !work?.isKept} />
      {step === 'file' && (
        <FileStep
          unfinished={steps.unfinished}
          isReady={steps.isReady}
          hasOwnAwbs={steps.hasOwnAwbs}
          onRead={(opened) => void steps.open(opened)}
          onGoOn={(id) => void steps.goOn(id)}
          onDiscard={(id) => void steps.discard(id)}
        />
      )}
      {step === 'columns' && file && sheet && (
        <ColumnsStep
          file={file}
          sheet={sheet}
          header={header}
          mapping={mapping}
          hasOwnAwbs={steps.hasOwnAwbs}
          day={day}
          onHeader={(found) => void opened.chooseHeader(found)}
          onMapping={opened.setMapping}
          onDay={steps.setDay}
        />
      )}
      {step === 'check' && work && (
        <div className="grid grid-cols-1 gap-3">
          <CheckStep
            headers={work.headers}
            mapping={work.mapping}
            checked={rows.checked}
            known={rows.known}
            hasFailed={rows.hasFailed}
            updates={rows.updates}
            edited={rows.edited}
            onUpdates={rows.setUpdates}
            onEdit={rows.edit}
            onAskAgain={rows.askAgain}
          />
          {work.isKept && <p className="text-ink-faint">{say('keptHere')}</p>}
        </div>
      )}
      {step === 'sending' && (
        <SendingStep sets={sending.sets} isWaiting={sending.isWaiting} interrupted={sending.interrupted} />
      )}
      {step === 'report' && work && (
        <ReportStep
          headers={work.headers}
          sets={sending.sets}
          refused={steps.refused}
          canFix={steps.canFix}
          fileName={work.fileName}
          onFix={steps.fix}
        />
      )}
    </Dialog>
  )
}
