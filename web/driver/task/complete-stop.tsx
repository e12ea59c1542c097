import { PackageCheck } from 'lucide-react'
import { useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import { isNamedOnBoth, nextMove } from '../../../core/driver/rules.ts'
import type { Action, Picture } from '../../../phone/keep.ts'
import type { Draft, KeptFile } from '../../../phone/kept.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { stopOf } from '../../../phone/stop.ts'
import { useSay } from '../../words/driver.ts'
import { drawSignature } from '../camera/picture.ts'
import { type DayState, useDay, useDriverFormats } from '../looks/day.ts'
import { totalLeft } from '../looks/parcels.ts'
import { Bar, BigButton, Foot, Screen } from '../looks/parts.tsx'
import { Question } from '../looks/question.tsx'
import { goInstead, screens } from '../looks/screen.ts'
import { SyncStatus } from '../looks/sync-status.tsx'
import { phone } from '../outbox/phone.ts'
import { gather, Part, Payment } from './complete.tsx'
import { useDraft } from './draft.ts'
import { lead, type Missing, MissingLine } from './missing.tsx'
import { Photos } from './photos.tsx'
import { SignaturePad } from './signature.tsx'
import { collectsNothing, emptyDraft, isMissing, paymentIn, stepsOf } from './steps.ts'

/** All parcels of a stop at once: one signature and one photo serve all, each is paid by itself. */
export function CompleteStop({ parcels }: { parcels: ShownTask[] }) {
  const say = useSay()
  const formats = useDriverFormats()
  const state = useDay()
  const { day, drafts } = state
  // What waits for something else is not held up by it: only those that can be completed are.
  const ready = parcels.filter((task) => nextMove(stopOf(task), day.settings).move === 'complete')
  const first = (ready[0] ?? parcels[0]) as ShownTask
  const [shared, change] = useDraft(first.id)
  const draftOf = (task: ShownTask): Draft => ({
    ...(task.id === first.id ? shared : (drafts.get(task.id) ?? emptyDraft(task.id))),
    strokes: shared.strokes,
    signedBy: shared.signedBy,
  })
  const stepNames = new Set(ready.flatMap((task) => stepsOf(task, day, draftOf(task)).map(({ name }) => name)))
  const missing = useMissingAt(ready, draftOf)
  const [asks, setAsks] = useState(false)
  const complete = async () => {
    setAsks(false)
    await phone.trouble.orTell(async () => {
      const { actions, pictures } = await gatherAll(ready, first, draftOf, state)
      await phone.keepEnd(actions, pictures)
    })
    goInstead(screens.route)
  }
  const tap = () => {
    if (missing) return lead(missing.at)
    if (ready.some((task) => collectsNothing(task, day, draftOf(task)))) return setAsks(true)
    void complete()
  }
  const left = totalLeft(ready)
  return (
    <Screen
      head={
        <Bar
          title={say('completeParcels', { n: ready.length })}
          back={screens.stop(first.id)}
          line={<SyncStatus inBar />}
        />
      }
      foot={
        <Foot>
          <MissingLine missing={missing} />
          <BigButton
            Icon={PackageCheck}
            look={missing ? 'grey' : 'primary'}
            aria-disabled={missing ? true : undefined}
            onClick={tap}
          >
            {say('completeParcels', { n: ready.length })}
          </BigButton>
        </Foot>
      }
    >
      <div className="flex flex-col gap-4 p-3">
        <p className="px-1 text-ink-soft">{ready.map(({ awb }) => awb).join(', ')}</p>
        {stepNames.has('photo') && (
          <Part name="photo" title={say('didPhoto')} done={false}>
            <p className="mb-1.5 px-1 text-ink-soft">{say('forAllParcels')}</p>
            <Photos taskId={first.id} />
          </Part>
        )}
        {stepNames.has('signature') && (
          <Part name="signature" title={say('didSignature')} done={shared.strokes.length > 0 && say('signed')}>
            <p className="mb-1.5 px-1 text-ink-soft">{say('forAllParcels')}</p>
            <SignaturePad strokes={shared.strokes} onChange={(strokes) => change({ strokes })} />
            <label className="mt-2 block font-semibold">
              {say('signedBy')}
              <input
                className="mt-1 block min-h-13 w-full rounded-xl border border-line-strong bg-surface px-3 font-normal"
                maxLength={longest.name}
                defaultValue={shared.signedBy ?? first.customer?.name ?? ''}
                onChange={({ target }) => change({ signedBy: target.value })}
              />
            </label>
          </Part>
        )}
        {left > 0 && (
          <p className="numbers flex flex-wrap justify-between gap-x-3 px-1 text-large">
            <span>{say('totalToCollect')}</span>
            <span className="font-bold text-waiting">{formats.money(left)}</span>
          </p>
        )}
        {ready.map((task) => (
          <PaymentOf key={task.id} task={task} />
        ))}
      </div>
      {asks && (
        <Question
          title="collectedNothingAsk"
          lead={say('collectedNothingLead', { left: formats.money(left) })}
          answers={[
            { word: 'completeUnpaid', run: () => void complete() },
            { word: 'backToPayment', look: 'primary', run: () => setAsks(false) },
          ]}
          onClose={() => setAsks(false)}
        />
      )}
    </Screen>
  )
}

function PaymentOf({ task }: { task: ShownTask }) {
  const say = useSay()
  const formats = useDriverFormats()
  const { day } = useDay()
  const [draft, change] = useDraft(task.id)
  const step = stepsOf(task, day, draft).find(({ name }) => name === 'payment')
  if (!step || (task.leftToBePaid ?? 0) <= 0) return null
  return (
    <Part
      name={`payment-${task.id}`}
      title={[say('didPayment'), task.awb, formats.money(task.leftToBePaid ?? 0)].join(' · ')}
      done={step.isDone && say('paymentReceived')}
    >
      <Payment task={task} draft={draft} change={change} />
    </Part>
  )
}

/** The first thing that keeps one of them from being completed. What only concerns one is filled in where it is opened. */
function useMissingAt(tasks: readonly ShownTask[], draftOf: (task: ShownTask) => Draft): Missing | undefined {
  const say = useSay()
  const { day } = useDay()
  for (const task of tasks) {
    const step = stepsOf(task, day, draftOf(task)).find(isMissing)
    if (!step) continue
    if (step.name === 'signature') return { text: say('didSignature'), at: 'step-signature' }
    if (step.name === 'payment') return { text: `${say('didPayment')} · ${task.awb}`, at: `step-payment-${task.id}` }
    return { text: say('parcelAlone', { awb: task.awb }), isSentence: true, at: screens.task(task.id) }
  }
  return undefined
}

/** The ops of each task, those of who signs first: the server names them only on tasks of the same customer. */
async function gatherAll(
  tasks: readonly ShownTask[],
  first: ShownTask,
  draftOf: (task: ShownTask) => Draft,
  { day, files }: Pick<DayState, 'day' | 'files'>,
): Promise<{ actions: Action[]; pictures: Picture[] }> {
  const { strokes, signedBy } = draftOf(first)
  const isShared = ({ taskId, kind, isRefused }: KeptFile) => taskId === first.id && kind === 'photo' && !isRefused
  const photos = files.filter(isShared)
  const signature = strokes.length > 0 ? crypto.randomUUID() : undefined
  const name = (signedBy ?? first.customer?.name ?? '').trim()
  const actions: Action[] = []
  for (const task of tasks) {
    const taskId = task.id
    const isNamed = name !== '' && (task === first || isNamedOnBoth(first, task))
    if (signature) actions.push({ type: 'signature', taskId, fileId: signature, ...(isNamed && { name }) })
    if (task !== first) actions.push(...photos.map(({ fileId }): Action => ({ type: 'photo', taskId, fileId })))
    const payment = paymentIn(task, day, draftOf(task))
    const own = await gather(
      task,
      { ...draftOf(task), strokes: [] },
      day,
      payment.kind === 'paid' ? payment : undefined,
    )
    actions.push(...own.actions, { type: 'complete', taskId })
  }
  const pictures: Picture[] = []
  if (signature)
    pictures.push({ kind: 'signature', fileId: signature, taskId: first.id, bytes: await drawSignature(strokes) })
  return { actions, pictures }
}
