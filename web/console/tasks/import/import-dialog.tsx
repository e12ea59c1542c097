import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { dayOf } from '../../../../core/task-day.ts'
import { useDrivers, useForms, useTeams } from '../../../api/data.ts'
import { itemProblem } from '../../../api/problem.ts'
import { useSession } from '../../../api/session.ts'
import { useFormats, useMoneyReading } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { beginArrival } from '../../day/arrived.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { isFilled, type Row, sheetOf } from '../../files/read-file.ts'
import { type CheckedRow, checkRows, problemSentence, recheckRow } from './check.ts'
import { CheckStep } from './check-step.tsx'
import { findHeader, hasPlace, loadOwnNames, type Mapping, recallMapping, rememberMapping } from './columns.ts'
import { ColumnsStep } from './columns-step.tsx'
import { fateOf, isToAsk, problemsOf } from './existing.ts'
import { FileStep, type OpenedFile } from './file-step.tsx'
import {
  forgetImport,
  type KeptImport,
  keepImport,
  keepRow,
  keepSending,
  keepSet,
  listUnfinished,
  loadImport,
  whileSending,
} from './kept.ts'
import { useExisting } from './look-up.ts'
import { ownerOf } from './owner.ts'
import { isFixable, type Refused, refusedRows } from './refused.ts'
import { ReportStep } from './report-step.tsx'
import { type Interrupted, randomKey, sendSets } from './send.ts'
import { countRows, countSent, planSets, resumeSets, type SendSet } from './sets.ts'
import { useSay } from './words.ts'

type Step = 'file' | 'columns' | 'check' | 'sending' | 'report'
const stepNumbers = { file: 1, columns: 2, check: 3, sending: 4, report: 4 } satisfies Record<Step, number>
const stepWords = {
  file: 'importFile',
  columns: 'importColumns',
  check: 'importCheck',
  sending: 'importTitle',
  report: 'importReport',
} as const satisfies Record<Step, string>

const interruptedWords = { networkDown: 'importInterrupted', signedOut: 'importSignedOut' } as const

/** What the dialog works on: a file with its columns, and under which name the browser keeps it. */
interface Work extends Pick<KeptImport, 'id' | 'fileName' | 'headers' | 'mapping' | 'day'> {
  /** Whether the browser keeps it, so that it can be continued. */
  isKept: boolean
}

interface Props {
  onClose: () => void
  /** An unfinished import to continue at once. */
  goOn?: string
}

/** Imports tasks from a file, from choosing it to the report. */
export default function ImportDialog({ onClose, goOn: asked }: Props) {
  const say = useSay()
  const client = useQueryClient()
  const owner = ownerOf(useSession())
  const { timeZone } = useFormats()
  const money = useMoneyReading()
  const { data: drivers } = useDrivers()
  const { data: teams } = useTeams()
  const { data: forms } = useForms()
  const [step, setStep] = useState<Step>('file')
  const [file, setFile] = useState<OpenedFile>()
  const [header, setHeader] = useState(0)
  const [mapping, setMapping] = useState<Mapping>([])
  const { day: shown, all: tasks } = useDispatch()
  const [day, setDay] = useState(() => [shown, dayOf(Date.now(), timeZone)].sort().at(-1) as string)
  const [work, setWork] = useState<Work>()
  const [checked, setChecked] = useState<readonly CheckedRow[]>([])
  const [edited, setEdited] = useState<ReadonlySet<number>>(new Set())
  const [updates, setUpdates] = useState(false)
  const [isChecking, setChecking] = useState(false)
  const [sets, setSets] = useState<readonly SendSet[]>([])
  const [leftOut, setLeftOut] = useState<KeptImport['leftOut']>([])
  const [interrupted, setInterrupted] = useState<Interrupted>()
  const [isWaiting, setWaiting] = useState(false)
  const [isStopping, setStopping] = useState(false)
  const stop = useRef(false)
  const { known, hasFailed } = useExisting(step === 'check' ? checked : none)
  const unfinished = useQuery({
    queryKey: ['unfinished imports', owner],
    queryFn: () => listUnfinished(owner),
    gcTime: 0,
  })
  const sheet = useMemo(() => file && sheetOf(file.table, header), [file, header])
  const around = useMemo(
    () => ({ day: work?.day ?? day, drivers: drivers ?? [], teams: teams ?? [], forms: forms ?? [], money }),
    [work, day, drivers, teams, forms, money],
  )
  const [creates, changing] = useMemo(() => {
    const fates = checked.map((one) => fateOf(one, known, updates))
    return [checked.filter((_, at) => fates[at] === 'create'), checked.filter((_, at) => fates[at] === 'update')]
  }, [checked, known, updates])
  const isAsking = useMemo(() => !hasFailed && checked.some((one) => isToAsk(one, known)), [checked, known, hasFailed])
  const refused = useMemo(
    () =>
      step === 'report'
        ? refusedRows(
            checked.map(({ row }) => row),
            leftOut,
            sets,
            say,
          )
        : [],
    [step, checked, leftOut, sets, say],
  )
  const fixable = refused.filter((one) => isFixable(one, say))
  const rest = countRows(sets) - countSent(sets)

  const open = async (opened: OpenedFile) => {
    const own = await loadOwnNames()
    const found = findHeader(opened.table, own, localStorage)
    setWork(undefined)
    setFile(opened)
    setHeader(found)
    setMapping(recallMapping(sheetOf(opened.table, found).headers, own, localStorage))
    setStep('columns')
  }
  const chooseHeader = async (found: number) => {
    if (!file) return
    setHeader(found)
    setMapping(recallMapping(sheetOf(file.table, found).headers, await loadOwnNames(), localStorage))
  }
  /** Checks the rows and keeps them, so that nothing corrected from here on is lost. */
  const check = async (given: Omit<Work, 'isKept'>, rows: readonly Row[]) => {
    setChecking(true)
    const { headers, mapping } = given
    setChecked(await checkRows({ headers, rows: [...rows] }, mapping, { ...around, day: given.day }))
    const isKept = await keepImport(
      { ...given, owner, updates, phase: 'fixing', rowCount: rows.length, leftOut: [], savedAt: Date.now() },
      rows,
    )
    setWork({ ...given, isKept })
    setEdited(new Set())
    setSets([])
    setLeftOut([])
    setChecking(false)
    setStep('check')
  }
  const checkSheet = () => {
    if (!file || !sheet) return
    rememberMapping(sheet.headers, mapping, localStorage)
    // Who went back to the columns has corrected cells, which mean the same in every column they are matched to.
    const isSame = work?.headers === sheet.headers
    const id = work?.id ?? randomKey()
    const rows = isSame ? checked.map(({ row }) => row) : sheet.rows
    void check({ id, fileName: file.name, headers: sheet.headers, mapping, day }, rows)
  }
  const latest = useRef({ checked, work, around })
  latest.current = { checked, work, around }
  const edit = useCallback((at: number, column: number, cell: string) => {
    const { checked, work, around } = latest.current
    const one = checked[at]
    if (!work || !one) return
    const cells = Array.from({ length: Math.max(one.row.cells.length, column + 1) }, (_, n) => one.row.cells[n] ?? '')
    cells[column] = cell
    const after = recheckRow(checked, at, cells, work.headers, work.mapping, around)
    latest.current.checked = after
    setChecked(after)
    setEdited((before) => (before.has(one.row.number) ? before : new Set([...before, one.row.number])))
    void keepRow(
      work.id,
      at,
      after.map(({ row }) => row),
    )
  }, [])

  /** Sends what is not answered yet. What is kept comes first: a set that was sent must be known after a crash. */
  const sendAll = async (given: Work, rows: readonly Row[], out: KeptImport['leftOut'], all: readonly SendSet[]) => {
    let current = all
    stop.current = false
    setStopping(false)
    setInterrupted(undefined)
    setLeftOut(out)
    setSets(current)
    setStep('sending')
    beginArrival(tasks)
    const why = await whileSending(given.id, () =>
      sendSets(all, {
        onSet: (set) => {
          current = current.map((one) => (one.number === set.number ? set : one))
          if (set.outcomes) setSets(current)
          return keepSet(given.id, set)
        },
        onWaiting: setWaiting,
        isStopped: () => stop.current,
      }),
    )
    setWaiting(false)
    setSets(current)
    setInterrupted(why)
    if (why === undefined) await settle(given, refusedRows(rows, out, current, say))
    if (why === undefined || why === 'stopped') setStep('report')
    // Events bring them one by one; fetching is faster for a few thousand.
    void client.invalidateQueries({ queryKey: ['tasks'] })
  }
  /** Everything was answered: only what can be fixed is kept. */
  const settle = async ({ isKept: _, ...given }: Work, refused: readonly Refused[]) => {
    const rows = refused.filter((one) => isFixable(one, say)).map(({ row }) => row)
    await forgetImport(given.id)
    if (rows.length > 0)
      await keepImport(
        { ...given, owner, updates, phase: 'fixing', rowCount: rows.length, leftOut: [], savedAt: Date.now() },
        rows,
      )
  }
  const sendRest = () => {
    const rows = checked.map(({ row }) => row)
    if (work) void sendAll(work, rows, leftOut, resumeSets(sets, Date.now()))
  }
  const send = async () => {
    if (!work) return
    const sayRefusal = (error: { code: string; message: string }) => itemProblem(error, say)
    const out = checked.flatMap((one): [number, string][] => {
      const fate = fateOf(one, known, updates)
      if (fate === 'create' || fate === 'update' || fate === 'same') return []
      if (fate === 'leftOut') return [[one.row.number, say('rowLeftOut')]]
      if (fate === 'ended') return [[one.row.number, say('rowEnded')]]
      const sentences = problemsOf(one, known, sayRefusal).map((problem) => problemSentence(problem, say))
      return [[one.row.number, sentences.join('; ')]]
    })
    const planned = planSets(creates, changing, known, randomKey)
    const { isKept: _, ...given } = work
    const rows = checked.length
    await keepSending(
      { ...given, owner, updates, phase: 'sending', rowCount: rows, leftOut: out, savedAt: Date.now() },
      planned,
    )
    await sendAll(
      work,
      checked.map(({ row }) => row),
      out,
      planned,
    )
  }
  const halt = () => {
    stop.current = true
    setStopping(true)
  }
  const goOn = async (id: string) => {
    const found = await loadImport(id)
    if (!found) return void unfinished.refetch()
    const { kept, rows, sets } = found
    const { fileName, headers, mapping, day } = kept
    setFile(undefined)
    setUpdates(kept.updates)
    if (kept.phase === 'fixing') return check({ id, fileName, headers, mapping, day }, rows)
    const given = { id, fileName, headers, mapping, day, isKept: true }
    setWork(given)
    setChecked(await checkRows({ headers, rows }, mapping, { ...around, day }))
    await sendAll(given, rows, kept.leftOut, resumeSets(sets, Date.now()))
  }
  const discard = async (id: string) => {
    await forgetImport(id)
    void unfinished.refetch()
  }
  /** What was refused, to be put right here. */
  const fix = () => {
    if (!work) return
    const { isKept: _, ...given } = work
    // Rows that are not sent yet stay kept under the old name.
    void check(
      rest > 0 ? { ...given, id: randomKey() } : given,
      fixable.map(({ row }) => row),
    )
  }
  /** While tasks are being sent the dialog stays open, because closing it would hide the result. */
  const close = () => (step === 'sending' && !interrupted ? halt() : onClose())
  const startAnother = () => {
    void unfinished.refetch()
    setWork(undefined)
    setFile(undefined)
    setUpdates(false)
    setStep('file')
  }

  const isReady = drivers !== undefined && teams !== undefined && forms !== undefined
  const begun = useRef(false)
  useEffect(() => {
    if (!asked || !isReady || begun.current) return
    begun.current = true
    void goOn(asked)
  })

  const footers: Record<Step, ReactNode> = {
    file: <Button onClick={onClose}>{say('cancel')}</Button>,
    columns: (
      <>
        <Button onClick={() => setStep('file')}>{say('back')}</Button>
        <Button
          look="primary"
          disabled={(!hasPlace(mapping) && !mapping.includes('awb')) || !isReady}
          busy={isChecking}
          onClick={checkSheet}
        >
          {say(isChecking ? 'importChecking' : 'next')}
        </Button>
      </>
    ),
    check: (
      <>
        {file && <Button onClick={() => setStep('columns')}>{say('back')}</Button>}
        <Button
          look="primary"
          disabled={creates.length + changing.length === 0 || isAsking}
          onClick={() => void send()}
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
        <Button onClick={close}>{say('close')}</Button>
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
        <Button onClick={startAnother}>{say('importAnother')}</Button>
        <Button look="primary" onClick={close}>
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
      {step === 'file' && (
        <FileStep
          unfinished={unfinished.data ?? []}
          isReady={isReady}
          onRead={(opened) => void open(opened)}
          onGoOn={(id) => void goOn(id)}
          onDiscard={(id) => void discard(id)}
        />
      )}
      {step === 'columns' && file && sheet && (
        <div className="grid grid-cols-1 gap-3">
          <p className="text-ink-soft">{say('importRows', { n: sheet.rows.length, file: file.name })}</p>
          <div className="flex flex-wrap items-start gap-4">
            <HeaderField table={file.table} header={header} onChange={(found) => void chooseHeader(found)} />
            <TextField
              label={say('importDay')}
              type="date"
              value={day}
              onChange={(event) => event.target.value && setDay(event.target.value)}
            />
          </div>
          {!hasPlace(mapping) && (
            <p role="alert" className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
              {say('columnsNoPlace')} {mapping.includes('awb') && say('columnsOnlyUpdate')}
            </p>
          )}
          <ColumnsStep sheet={sheet} mapping={mapping} onChange={setMapping} />
          <p className="text-ink-faint">{say('timesInZone', { zone: timeZone.replaceAll('_', ' ') })}</p>
        </div>
      )}
      {step === 'check' && work && (
        <div className="grid grid-cols-1 gap-3">
          <CheckStep
            headers={work.headers}
            mapping={work.mapping}
            checked={checked}
            known={known}
            hasFailed={hasFailed}
            updates={updates}
            edited={edited}
            onUpdates={setUpdates}
            onEdit={edit}
          />
          {work.isKept && <p className="text-ink-faint">{say('keptHere')}</p>}
        </div>
      )}
      {step === 'sending' && (
        <div className="grid gap-2 py-8">
          <Progress done={countSent(sets)} all={countRows(sets)} />
          {isWaiting && (
            <p role="status" className="text-center text-waiting">
              {say('importWaiting')}
            </p>
          )}
          {interrupted && interrupted !== 'stopped' && (
            <p role="alert" className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
              {say(interruptedWords[interrupted])}
            </p>
          )}
        </div>
      )}
      {step === 'report' && work && (
        <ReportStep
          headers={work.headers}
          sets={sets}
          refused={refused}
          canFix={fixable.length > 0}
          fileName={work.fileName}
          onFix={fix}
          onClose={close}
        />
      )}
    </Dialog>
  )
}

const none: readonly CheckedRow[] = []

/** Where the names of the columns are, if it is not the row we found. */
interface HeaderProps {
  table: readonly string[][]
  header: number
  onChange: (header: number) => void
}

const headersOffered = 30

function HeaderField({ table, header, onChange }: HeaderProps) {
  const say = useSay()
  const rows = [...table.slice(0, headersOffered).entries()].filter(([, cells]) => isFilled(cells))
  const skipped = rows.filter(([index]) => index < header).length
  return (
    <SelectField
      label={say('headerRow')}
      className="min-w-0 max-w-72"
      value={header}
      onChange={(event) => onChange(Number(event.target.value))}
      {...(skipped > 0 && { hint: say('headerSkipped', { n: skipped }) })}
    >
      {rows.map(([index, cells]) => (
        <option key={index} value={index}>
          {index + 1}: {cells.filter(Boolean).join(' · ').slice(0, 60)}
        </option>
      ))}
    </SelectField>
  )
}

function Progress({ done, all }: { done: number; all: number }) {
  const say = useSay()
  const text = say('importing', { done, n: all })
  return (
    <>
      <progress value={done} max={all} aria-label={text} className="h-2 w-full accent-(--brand)" />
      <p className="numbers text-center text-ink-soft">{text}</p>
    </>
  )
}
