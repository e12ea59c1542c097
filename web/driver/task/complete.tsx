import { Banknote, Check, CreditCard, Eraser, PackageCheck } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import type { PaymentProblem } from '../../../core/driver/payment.ts'
import { type FormField, formOf } from '../../../core/form.ts'
import type { Action, Picture } from '../../../phone/keep.ts'
import type { Day, Draft } from '../../../phone/kept.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { labelIn } from '../../tasks/answers.ts'
import { useSay, useSpeech, type Word } from '../../words/driver.ts'
import { drawSignature } from '../camera/picture.ts'
import { useDay, useDriverFormats } from '../looks/day.ts'
import { Bar, BigButton, Foot, Screen } from '../looks/parts.tsx'
import { Question } from '../looks/question.tsx'
import { goInstead, screens, useScreen } from '../looks/screen.ts'
import { SyncStatus } from '../looks/sync-status.tsx'
import { phone } from '../outbox/phone.ts'
import { useDraft } from './draft.ts'
import { FormFields, Options } from './form.tsx'
import { lead, type Missing, MissingLine } from './missing.tsx'
import { obstacleIn } from './obstacle.ts'
import { NewsAtStop } from './office-news.tsx'
import { Photos } from './photos.tsx'
import { SignaturePad } from './signature.tsx'
import {
  answersWith,
  collectsNothing,
  fieldsAt,
  isMissing,
  isUnreadable,
  isUnsigned,
  notesOf,
  obstacleToEnd,
  paymentIn,
  type Step,
  type StepName,
  stepsOf,
  unanswered,
} from './steps.ts'

/** Everything the task needs, on one page, and one button at its end. */
export function CompleteScreen({ task }: { task: ShownTask }) {
  const say = useSay()
  const { day } = useDay()
  const formats = useDriverFormats()
  const [draft, change] = useDraft(task.id)
  const [, , , wanted] = useScreen()
  useEffect(() => {
    if (wanted) lead(`step-${wanted}`)
  }, [wanted])

  const steps = stepsOf(task, day, draft)
  const stepOf = (name: StepName) => steps.find((step) => step.name === name)
  const fields = fieldsAt(task, day, 'complete')
  const missingFields = unanswered(task, day, draft, 'complete')
  const payment = paymentIn(task, day, draft)
  const missing = useMissing(task, draft, steps, missingFields)
  const [asks, setAsks] = useState(false)

  const complete = async () => {
    setAsks(false)
    await phone.trouble.orTell(async () => {
      const { actions, pictures } = await gather(task, draft, day, payment.kind === 'paid' ? payment : undefined)
      await phone.keepEnd([...actions, { type: 'complete', taskId: task.id }], pictures)
    })
    goInstead(screens.route)
  }
  const tap = () => {
    if (missing) return lead(missing.at)
    if (collectsNothing(task, day, draft)) return setAsks(true)
    void complete()
  }
  const backToPayment = () => {
    setAsks(false)
    lead('step-payment')
  }

  return (
    <Screen
      head={
        <Bar title={say('completeAwb', { awb: task.awb })} back={screens.task(task.id)} line={<SyncStatus inBar />} />
      }
      foot={
        <Foot>
          <NewsAtStop task={task} />
          <MissingLine missing={missing} />
          <BigButton
            Icon={PackageCheck}
            look={missing ? 'grey' : 'primary'}
            aria-disabled={missing ? true : undefined}
            onClick={tap}
          >
            {say('completeTask')}
          </BigButton>
        </Foot>
      }
    >
      <div className="flex flex-col gap-4 p-3">
        {stepOf('photo') && (
          <Part
            name="photo"
            title={say('didPhoto')}
            done={(stepOf('photo')?.count ?? 0) > 0 && say('photoCount', { n: stepOf('photo')?.count ?? 0 })}
          >
            <Photos taskId={task.id} />
          </Part>
        )}
        {stepOf('signature') && (
          <Part name="signature" title={say('didSignature')} done={stepOf('signature')?.isDone && say('signed')}>
            {notesOf(task, 'signature').length === 0 && (
              <>
                <SignaturePad strokes={draft.strokes} onChange={(strokes) => change({ strokes })} />
                <label className="mt-2 block font-semibold">
                  {say('signedBy')}
                  <input
                    className="mt-1 block min-h-13 w-full rounded-xl border border-line-strong bg-surface px-3 font-normal"
                    maxLength={longest.name}
                    defaultValue={draft.signedBy ?? task.customer?.name ?? ''}
                    onChange={({ target }) => change({ signedBy: target.value })}
                  />
                </label>
              </>
            )}
          </Part>
        )}
        {stepOf('payment') && (
          <Part
            name="payment"
            title={[say('didPayment'), task.leftToBePaid ? formats.money(task.leftToBePaid) : ''].join(' ')}
            done={stepOf('payment')?.isDone && say('paymentReceived')}
          >
            {((task.leftToBePaid ?? 0) > 0 || payment.kind === 'problem') && (
              <Payment task={task} draft={draft} change={change} />
            )}
          </Part>
        )}
        {fields.length > 0 && (
          <Part name="form" title={say('didForm')} done={missingFields.length === 0 && say('stepDone')}>
            <div className="flex flex-col gap-2.5">
              <FormFields
                taskId={task.id}
                fields={fields}
                answers={answersWith(task, draft, fields)}
                missing={missingFields}
                onAnswer={(key, answer) => change({ answers: { ...draft.answers, [key]: answer } })}
              />
            </div>
          </Part>
        )}
        {steps.every(({ name }) => name === 'scan') && <p className="px-1 text-large">{say('needsNothing')}</p>}
      </div>
      {asks && (
        <Question
          title="collectedNothingAsk"
          lead={say('collectedNothingLead', { left: formats.money(task.leftToBePaid ?? 0) })}
          answers={[
            { word: 'completeUnpaid', run: () => void complete() },
            { word: 'backToPayment', look: 'primary', run: backToPayment },
          ]}
          onClose={() => setAsks(false)}
        />
      )}
    </Screen>
  )
}

/** The first thing that keeps the task from being completed: that it cannot be now, or what is missing or not right. */
function useMissing(
  task: ShownTask,
  draft: Draft,
  steps: readonly Step[],
  missingFields: readonly FormField[],
): Missing | undefined {
  const say = useSay()
  const { language } = useSpeech()
  const { day } = useDay()
  const formats = useDriverFormats()
  const obstacle = obstacleToEnd(task, day, 'complete')
  if (obstacle) return { text: obstacleIn(obstacle, say), isSentence: true, at: screens.task(task.id) }
  const first = steps.find(isMissing)
  if (!first) return undefined
  const at = `step-${first.name}`
  const payment = paymentIn(task, day, draft)
  const [field] = missingFields
  if (first.name === 'form' && field) {
    const label = labelIn(field, language)
    const isSentence = isUnreadable(field, draft)
    return { text: isSentence ? say('numberExpected', { label }) : label, isSentence, at: `field-${field.field_key}` }
  }
  if (first.name === 'payment' && payment.kind === 'problem') {
    const left = task.leftToBePaid ?? 0
    const word = left > 0 ? paymentWords[payment.problem] : 'paymentNothingLeft'
    const amount = (draft.amount ?? formats.typedMoney(left)).trim()
    return { text: say(word, { amount, left: formats.money(left) }), isSentence: true, at }
  }
  if (first.name === 'signature' && isUnsigned(task, draft))
    return { text: say('nameUnsigned', { name: (draft.signedBy ?? '').trim() }), isSentence: true, at }
  return { text: say(words[first.name]), at }
}

const paymentWords = {
  unreadable: 'paymentUnreadable',
  fraction: 'paymentFraction',
  tooMuch: 'paymentTooMuch',
  partial: 'paymentPartial',
  noAmount: 'paymentNoAmount',
  noMethod: 'paymentNoMethod',
} as const satisfies Record<PaymentProblem, Word>

const words = {
  scan: 'didScan',
  photo: 'didPhoto',
  signature: 'didSignature',
  payment: 'didPayment',
  form: 'didForm',
} as const

/** What is sent with completing: all of it, or none. */
export async function gather(
  task: ShownTask,
  draft: Draft,
  { forms }: Pick<Day, 'forms'>,
  payment?: { amount: number; method: 'cash' | 'card' },
): Promise<{ actions: Action[]; pictures: Picture[] }> {
  const taskId = task.id
  const actions: Action[] = []
  const pictures: Picture[] = []
  if (draft.strokes.length > 0) {
    const fileId = crypto.randomUUID()
    const name = (draft.signedBy ?? task.customer?.name ?? '').trim()
    actions.push({ type: 'signature', taskId, fileId, ...(name && { name }) })
    pictures.push({ kind: 'signature', fileId, taskId, bytes: await drawSignature(draft.strokes) })
  }
  if (payment) actions.push({ type: 'payment', taskId, amount: payment.amount, method: payment.method })
  const isAsked = (key: string) => formOf(task, forms)?.fields.some(({ field_key }) => field_key === key)
  const answers = Object.entries(draft.answers)
    .filter(([field_key]) => isAsked(field_key))
    .map(([field_key, answer]) => ({ field_key, answer: answer === '' ? null : answer }))
  if (answers.length > 0) actions.push({ type: 'form', taskId, answers })
  return { actions, pictures }
}

interface PartProps {
  name: StepName | `payment-${number}`
  title: string
  done: string | false | undefined
  children: ReactNode
}

export const Part = ({ name, title, done, children }: PartProps) => (
  <section id={`step-${name}`} tabIndex={-1} aria-label={title} className="scroll-mt-2 outline-none">
    <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-2 px-1">
      <h2 className="font-semibold text-large">{title}</h2>
      {done && (
        <span className="inline-flex items-center gap-1 font-semibold text-good">
          <Check aria-hidden className="size-5" />
          {done}
        </span>
      )}
    </div>
    {children}
  </section>
)

interface PaymentProps {
  task: ShownTask
  draft: Draft
  change: (part: Partial<Draft>) => void
}

export function Payment({ task, draft, change }: PaymentProps) {
  const say = useSay()
  const { typedMoney } = useDriverFormats()
  const { allowPartialPayments } = useDay().day.settings
  const ways = [
    ['cash', <Way key="cash" Icon={Banknote} text={say('cash')} />],
    ['card', <Way key="card" Icon={CreditCard} text={say('card')} />],
  ] as const
  return (
    <>
      {(allowPartialPayments || draft.amount !== null) && (
        <label className="mb-2 block font-semibold">
          {say('amountReceived')}
          <input
            inputMode="decimal"
            maxLength={longest.amount}
            className="numbers mt-1 block min-h-13 w-full rounded-xl border border-line-strong bg-surface px-3"
            value={draft.amount ?? (task.leftToBePaid === null ? '' : typedMoney(task.leftToBePaid))}
            onChange={({ target }) => change({ amount: target.value })}
          />
        </label>
      )}
      <Options
        name={`method-${task.id}`}
        options={ways}
        chosen={draft.method ?? undefined}
        onChoose={(method) => change({ method })}
      />
      {(draft.method !== null || draft.amount !== null) && (
        <button
          type="button"
          className="mt-1 inline-flex min-h-12 items-center gap-1.5 px-1 font-semibold"
          onClick={() => change({ method: null, amount: null })}
        >
          <Eraser aria-hidden className="size-5" />
          {say('clearPayment')}
        </button>
      )}
    </>
  )
}

const Way = ({ Icon, text }: { Icon: typeof Banknote; text: string }) => (
  <>
    <Icon aria-hidden className="size-5.5" />
    {text}
  </>
)
