import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { dayOf } from '../../../../core/task-day.ts'
import { randomKey } from '../../../api/one-key.ts'
import { itemProblem } from '../../../api/problem.ts'
import { useSession } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { beginArrival } from '../../day/arrived.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import type { Row } from '../../files/read-file.ts'
import { checkRows, problemSentence } from './check.ts'
import { rememberMapping } from './columns.ts'
import { fateOf, problemsOf } from './existing.ts'
import type { OpenedFile } from './file-step.tsx'
import { forgetImport, type KeptImport, keepImport, keepSending, listUnfinished, loadImport } from './kept.ts'
import { useOpenedSheet } from './opened-sheet.ts'
import { ownerOf } from './owner.ts'
import { isFixable, type Refused, refusedRows } from './refused.ts'
import { useRows, type Work } from './rows.ts'
import { useSending } from './sending.ts'
import { planSets, resumeSets, type SendSet } from './sets.ts'
import { useSurroundings } from './surroundings.ts'
import { useSay } from './words.ts'

export type Step = 'file' | 'columns' | 'check' | 'sending' | 'report'
export type Steps = ReturnType<typeof useSteps>

/** The way of an import, from the file to the report, and what leads from one step to the next. */
export function useSteps(asked: string | undefined) {
  const say = useSay()
  const client = useQueryClient()
  const owner = ownerOf(useSession())
  const { timeZone } = useFormats()
  const { day: shown, all: tasks } = useDispatch()
  const [step, setStep] = useState<Step>('file')
  const [day, setDay] = useState(() => [shown, dayOf(Date.now(), timeZone)].sort().at(-1) as string)
  const [work, setWork] = useState<Work>()
  const [isChecking, setChecking] = useState(false)
  const { around, isReady } = useSurroundings(work?.day ?? day)
  const opened = useOpenedSheet(around.hasOwnAwbs)
  const rows = useRows(work, around, step === 'check')
  const sending = useSending()
  const unfinished = useQuery({
    queryKey: ['unfinished imports', owner],
    queryFn: () => listUnfinished(owner),
    gcTime: 0,
  })
  const { checked, known, updates } = rows
  const { leftOut, sets } = sending
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

  const open = async (file: OpenedFile) => {
    await opened.open(file)
    setWork(undefined)
    setStep('columns')
  }
  const keepToFix = ({ isKept: _, ...given }: Work, toFix: readonly Row[], updates: boolean) =>
    keepImport(
      { ...given, owner, updates, phase: 'fixing', rowCount: toFix.length, leftOut: [], savedAt: Date.now() },
      toFix,
    )
  /** Checks the rows and keeps them, so that nothing corrected from here on is lost. */
  const check = async (given: Omit<Work, 'isKept'>, toCheck: readonly Row[], updates: boolean) => {
    setChecking(true)
    const { headers, mapping } = given
    rows.show(await checkRows({ headers, rows: [...toCheck] }, mapping, { ...around, day: given.day }))
    const isKept = await keepToFix({ ...given, isKept: false }, toCheck, updates)
    setWork({ ...given, isKept })
    sending.clear()
    setChecking(false)
    setStep('check')
  }
  const checkSheet = () => {
    const { file, sheet, mapping } = opened
    if (!file || !sheet) return
    rememberMapping(sheet.headers, mapping, localStorage)
    // Who went back to the columns has corrected cells, which mean the same in every column they are matched to.
    const isSame = work?.headers === sheet.headers
    const id = work?.id ?? randomKey()
    const toCheck = isSame ? checked.map(({ row }) => row) : sheet.rows
    void check({ id, fileName: file.name, headers: sheet.headers, mapping, day }, toCheck, updates)
  }

  const sendAll = async (
    given: Work,
    all: readonly Row[],
    out: KeptImport['leftOut'],
    toSend: readonly SendSet[],
    updates: boolean,
  ) => {
    sending.begin(out, toSend)
    setStep('sending')
    beginArrival(tasks)
    const { why, sets } = await sending.send(given.id, toSend)
    if (why === undefined) await settle(given, refusedRows(all, out, sets, say), updates)
    if (why === undefined || why === 'stopped') setStep('report')
    // Events bring them one by one; fetching is faster for a few thousand.
    void client.invalidateQueries({ queryKey: ['tasks'] })
  }
  /** Everything was answered: only what can be fixed is kept. */
  const settle = async (given: Work, refused: readonly Refused[], updates: boolean) => {
    const toFix = refused.filter((one) => isFixable(one, say)).map(({ row }) => row)
    await forgetImport(given.id)
    if (toFix.length > 0) await keepToFix(given, toFix, updates)
  }
  const sendRest = () => {
    const all = checked.map(({ row }) => row)
    if (work) void sendAll(work, all, leftOut, resumeSets(sets, Date.now()), updates)
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
    const planned = planSets(rows.creates, rows.changing, known, randomKey)
    const { isKept: _, ...given } = work
    const rowCount = checked.length
    await keepSending(
      { ...given, owner, updates, phase: 'sending', rowCount, leftOut: out, savedAt: Date.now() },
      planned,
    )
    await sendAll(
      work,
      checked.map(({ row }) => row),
      out,
      planned,
      updates,
    )
  }

  const goOn = async (id: string) => {
    const found = await loadImport(id)
    if (!found) return void unfinished.refetch()
    const { fileName, headers, mapping, day, phase, updates, leftOut } = found.kept
    opened.close()
    rows.setUpdates(updates)
    if (phase === 'fixing') return check({ id, fileName, headers, mapping, day }, found.rows, updates)
    const given = { id, fileName, headers, mapping, day, isKept: true }
    setWork(given)
    rows.show(await checkRows({ headers, rows: found.rows }, mapping, { ...around, day }))
    await sendAll(given, found.rows, leftOut, resumeSets(found.sets, Date.now()), updates)
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
      sending.rest > 0 ? { ...given, id: randomKey() } : given,
      fixable.map(({ row }) => row),
      updates,
    )
  }
  const startAnother = () => {
    void unfinished.refetch()
    setWork(undefined)
    opened.close()
    rows.setUpdates(false)
    setStep('file')
  }

  const begun = useRef(false)
  useEffect(() => {
    if (!asked || !isReady || begun.current) return
    begun.current = true
    void goOn(asked)
  })
  const { hasOwnAwbs } = around
  const told = {
    unfinished: unfinished.data ?? [],
    refused,
    canFix: fixable.length > 0,
    isReady,
    isChecking,
    hasOwnAwbs,
  }
  const ways = { open, checkSheet, send, sendRest, goOn, discard, fix, startAnother }
  return { step, setStep, day, setDay, work, opened, rows, sending, ...told, ...ways }
}
