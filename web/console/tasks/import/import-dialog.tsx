import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { dayOf } from '../../../../core/task-day.ts'
import { useDrivers, useForms, useTeams } from '../../../api/data.ts'
import { useFormats, useMoneyReading } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useSay } from '../../../words/console.ts'
import { beginArrival } from '../../day/arrived.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { type CheckedRow, checkRows } from './check.ts'
import { CheckStep } from './check-step.tsx'
import { hasPlace, loadOwnNames, type Mapping, recallMapping, rememberMapping } from './columns.ts'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep, type OpenedFile } from './file-step.tsx'
import { refusedRows } from './refused.ts'
import { ReportStep } from './report-step.tsx'
import { type Outcome, sendRows } from './send.ts'

type Step = 'file' | 'columns' | 'check' | 'sending' | 'report'
const stepNumbers = { file: 1, columns: 2, check: 3, sending: 4, report: 4 } satisfies Record<Step, number>
const stepWords = {
  file: 'importFile',
  columns: 'importColumns',
  check: 'importCheck',
  sending: 'importTitle',
  report: 'importReport',
} as const satisfies Record<Step, string>

/** Imports tasks from a file, from choosing it to the report. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const client = useQueryClient()
  const { timeZone } = useFormats()
  const money = useMoneyReading()
  const { data: drivers = [] } = useDrivers()
  const { data: teams = [] } = useTeams()
  const { data: forms = [] } = useForms()
  const [step, setStep] = useState<Step>('file')
  const [file, setFile] = useState<OpenedFile>()
  const [mapping, setMapping] = useState<Mapping>([])
  const { day: shown, all } = useDispatch()
  const [day, setDay] = useState(() => [shown, dayOf(Date.now(), timeZone)].sort().at(-1) as string)
  const [checked, setChecked] = useState<CheckedRow[]>([])
  const [isChecking, setChecking] = useState(false)
  const [done, setDone] = useState(0)
  const [outcomes, setOutcomes] = useState<Outcome[]>([])
  const [isStopping, setStopping] = useState(false)
  const stop = useRef(false)
  const [good, bad] = useMemo(() => {
    const isGood = ({ problems }: CheckedRow) => problems.length === 0
    return [checked.filter(isGood), checked.filter((one) => !isGood(one))]
  }, [checked])
  const refused = useMemo(() => (outcomes.length > 0 ? refusedRows(bad, outcomes, say) : []), [bad, outcomes, say])

  const open = async (opened: OpenedFile) => {
    setFile(opened)
    setMapping(recallMapping(opened.sheet.headers, await loadOwnNames(), localStorage))
    setStep('columns')
  }
  const check = async ({ sheet }: OpenedFile) => {
    rememberMapping(sheet.headers, mapping, localStorage)
    setChecking(true)
    setChecked(await checkRows(sheet, mapping, { day, drivers, teams, forms, money }))
    setChecking(false)
    setStep('check')
  }
  const send = async () => {
    stop.current = false
    setStopping(false)
    setDone(0)
    setStep('sending')
    beginArrival(all)
    setOutcomes(await sendRows(good, { onProgress: setDone, isStopped: () => stop.current }))
    setStep('report')
    // Events bring them one by one; fetching is faster for a few thousand.
    void client.invalidateQueries({ queryKey: ['tasks'] })
  }
  const halt = () => {
    stop.current = true
    setStopping(true)
  }
  /** While tasks are being sent the dialog stays open, because closing it would hide the result. */
  const close = () => (step === 'sending' ? halt() : onClose())

  const footers: Record<Step, ReactNode> = {
    file: <Button onClick={onClose}>{say('cancel')}</Button>,
    columns: (
      <>
        <Button onClick={() => setStep('file')}>{say('back')}</Button>
        <Button look="primary" disabled={!hasPlace(mapping)} busy={isChecking} onClick={() => file && void check(file)}>
          {say(isChecking ? 'importChecking' : 'next')}
        </Button>
      </>
    ),
    check: (
      <>
        <Button onClick={() => setStep('columns')}>{say('back')}</Button>
        <Button look="primary" disabled={good.length === 0} onClick={() => void send()}>
          {say('importNow', { n: good.length })}
        </Button>
      </>
    ),
    sending: (
      <Button disabled={isStopping} onClick={halt}>
        {say(isStopping ? 'importStopping' : 'importStop')}
      </Button>
    ),
    report: (
      <>
        <Button onClick={() => setStep('file')}>{say('importAnother')}</Button>
        <Button look="primary" onClick={onClose}>
          {say('finish')}
        </Button>
      </>
    ),
  }
  return (
    <Dialog
      title={say('importTitle')}
      lead={`${say('importStep', { step: stepNumbers[step] })} · ${say(stepWords[step])}`}
      open
      onClose={close}
      wide
      footer={footers[step]}
    >
      {step === 'file' && <FileStep onRead={(opened) => void open(opened)} />}
      {step === 'columns' && file && (
        <div className="grid gap-3">
          <div className="flex flex-wrap items-end gap-4">
            <p className="grow text-ink-soft">{say('importRows', { n: file.sheet.rows.length, file: file.name })}</p>
            <TextField
              label={say('importDay')}
              type="date"
              value={day}
              onChange={(event) => event.target.value && setDay(event.target.value)}
            />
          </div>
          {!hasPlace(mapping) && (
            <p role="alert" className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
              {say('columnsNoPlace')}
            </p>
          )}
          <ColumnsStep sheet={file.sheet} mapping={mapping} onChange={setMapping} />
          <p className="text-ink-faint">{say('timesInZone', { zone: timeZone.replaceAll('_', ' ') })}</p>
        </div>
      )}
      {step === 'check' && <CheckStep checked={checked} />}
      {step === 'sending' && <Progress done={done} all={good.length} />}
      {step === 'report' && file && (
        <ReportStep
          headers={file.sheet.headers}
          outcomes={outcomes}
          refused={refused}
          fileName={file.name}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

function Progress({ done, all }: { done: number; all: number }) {
  const say = useSay()
  const text = say('importing', { done, n: all })
  return (
    <div className="grid gap-2 py-8">
      <progress value={done} max={all} aria-label={text} className="h-2 w-full accent-(--brand)" />
      <p className="numbers text-center text-ink-soft">{text}</p>
    </div>
  )
}
