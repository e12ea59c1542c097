import { Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { labelIn } from '../../tasks/answers.ts'
import { join } from '../../ui/class-names.ts'
import { useSay, useSpeech, type Word } from '../../words/driver.ts'
import { useDay } from '../looks/day.ts'
import { Bar, BigButton, Foot, Screen } from '../looks/parts.tsx'
import { Question } from '../looks/question.tsx'
import { goInstead, screens } from '../looks/screen.ts'
import { SyncStatus } from '../looks/sync-status.tsx'
import { phone } from '../outbox/phone.ts'
import { gather } from './complete.tsx'
import { useDraft } from './draft.ts'
import { FormFields } from './form.tsx'
import { lead, type Missing, MissingLine } from './missing.tsx'
import { obstacleIn } from './obstacle.ts'
import { NewsAtStop } from './office-news.tsx'
import { Photos } from './photos.tsx'
import { iconOf } from './reason-icon.ts'
import {
  answersWith,
  fieldsAt,
  missingForFailure,
  notesOf,
  obstacleToEnd,
  paymentIn,
  reasonsFor,
  unanswered,
} from './steps.ts'

const missingWords = {
  reason: 'reasonMissing',
  photo: 'didPhoto',
  note: 'didNote',
  form: 'didForm',
} as const satisfies Record<string, Word>

/** Why the task fails: a reason of the organisation, and what it wants as proof. */
export function FailScreen({ task }: { task: ShownTask }) {
  const say = useSay()
  const { language } = useSpeech()
  const { day, session } = useDay()
  const [draft, change] = useDraft(task.id)
  const reasons = reasonsFor(task, day, session.driverId)
  const reason = reasons.find(({ code }) => code === draft.reasonCode)
  const fields = fieldsAt(task, day, 'fail')
  const [first] = missingForFailure(task, day, draft, { reason, driverId: session.driverId })
  const obstacle = obstacleToEnd(task, day, 'fail')
  const missing: Missing | undefined = obstacle
    ? { text: obstacleIn(obstacle, say), isSentence: true, at: screens.task(task.id) }
    : first && { text: say(missingWords[first]), at: `fail-${first}` }
  const [asks, setAsks] = useState(false)
  const photos = notesOf(task, 'photo').length

  const fail = async () => {
    setAsks(false)
    await phone.trouble.orTell(async () => {
      const { actions, pictures } = await gather(task, draft, day)
      const words = draft.reason.trim()
      const why = { ...(draft.reasonCode && { reasonCode: draft.reasonCode }), ...(words && { reason: words }) }
      await phone.keepEnd([...actions, { type: 'fail', taskId: task.id, ...why }], pictures)
    })
    goInstead(screens.route)
  }
  const tap = () => {
    if (missing) return lead(missing.at)
    // Filled in on the other page, and not for a failure.
    if (paymentIn(task, day, draft).kind !== 'nothing') return setAsks(true)
    void fail()
  }

  const choices = [...reasons.map((one) => [one.code, labelIn(one, language)]), ['', say('somethingElse')]] as [
    string,
    string,
  ][]
  return (
    <Screen
      head={<Bar title={say('whyFail', { awb: task.awb })} back={screens.task(task.id)} line={<SyncStatus inBar />} />}
      foot={
        <Foot>
          <NewsAtStop task={task} />
          {missing ? (
            <MissingLine missing={missing} />
          ) : (
            <p className="mb-2.5 flex min-h-12 items-center gap-2.5 px-1 font-semibold">
              <Undo2 aria-hidden className="size-5.5 shrink-0" />
              {say(task.pickupTask ? 'failPickup' : 'failParcel')}
            </p>
          )}
          <BigButton
            Icon={X}
            look={missing ? 'grey' : 'danger'}
            aria-disabled={missing ? true : undefined}
            onClick={tap}
          >
            {say('markAsFailed')}
          </BigButton>
        </Foot>
      }
    >
      <fieldset id="fail-reason" tabIndex={-1} className="min-w-0 bg-surface outline-none">
        <legend className="sr-only">{say('whyFail', { awb: task.awb })}</legend>
        {choices.map(([code, label]) => {
          const Icon = iconOf({ code, label })
          return (
            <label
              key={code}
              className={join(
                'relative flex min-h-14.5 items-center gap-3 border-line border-b px-4 py-2 font-semibold text-large',
                'has-focus-visible:outline-3 has-focus-visible:outline-accent has-focus-visible:-outline-offset-3',
                draft.reasonCode === code && 'bg-chosen',
              )}
            >
              <Icon aria-hidden className="size-6 shrink-0" />
              <span className="flex-1">{label}</span>
              <input
                type="radio"
                name="reason"
                className="size-6.5 shrink-0 accent-brand outline-none"
                checked={draft.reasonCode === code}
                onChange={() => change({ reasonCode: code })}
              />
            </label>
          )
        })}
      </fieldset>
      {draft.reasonCode !== null && (
        <div className="flex flex-col gap-4 p-3">
          {(reason?.photoRequired || photos > 0) && (
            <section id="fail-photo" tabIndex={-1} aria-label={say('didPhoto')} className="outline-none">
              <h2 className="mb-1.5 px-1 font-semibold text-large">
                {say(reason?.photoRequired ? 'photoIsRequired' : 'didPhoto')}
              </h2>
              <Photos taskId={task.id} />
            </section>
          )}
          <label className="block font-semibold text-large">
            <span className="px-1">
              {say(reason?.noteRequired || draft.reasonCode === '' ? 'noteIsRequired' : 'noteForOffice')}
            </span>
            <textarea
              id="fail-note"
              rows={2}
              maxLength={longest.text}
              className="mt-1.5 block w-full rounded-xl border border-line-strong bg-surface p-3 font-normal"
              defaultValue={draft.reason}
              onChange={({ target }) => change({ reason: target.value })}
            />
          </label>
          {fields.length > 0 && (
            <section
              id="fail-form"
              tabIndex={-1}
              aria-label={say('didForm')}
              className="flex flex-col gap-2.5 outline-none"
            >
              <FormFields
                taskId={task.id}
                fields={fields}
                answers={answersWith(task, draft, fields)}
                missing={unanswered(task, day, draft, 'fail')}
                onAnswer={(key, answer) => change({ answers: { ...draft.answers, [key]: answer } })}
              />
            </section>
          )}
        </div>
      )}
      {asks && (
        <Question
          title="failUnpaidAsk"
          lead={say('failUnpaidLead')}
          answers={[
            { word: 'failUnpaid', look: 'danger', run: () => void fail() },
            { word: 'cancel', run: () => setAsks(false) },
          ]}
          onClose={() => setAsks(false)}
        />
      )}
    </Screen>
  )
}
