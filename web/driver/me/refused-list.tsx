import { groupByCause, type Refused } from '../../../phone/refused.ts'
import { useSay, type Word } from '../../words/driver.ts'
import { useActionText, useCauseText } from '../looks/actions.ts'
import { useCorrected, useDay, useDriverFormats } from '../looks/day.ts'
import { standOf } from '../looks/not-accepted.tsx'
import { Card, plainButton } from '../looks/parts.tsx'
import { phone } from '../outbox/phone.ts'

/** What was not accepted, what the office decided, and what it still decides; one OK for all of one cause. */
export function RefusedList() {
  const { refused } = useDay()
  const unread = refused.filter(({ isRead }) => !isRead)
  return (
    <>
      <Part title="notAccepted" entries={unread.filter(({ decision }) => !decision)} />
      <Part title="decisions" entries={unread.filter(({ decision }) => decision)} />
      <Part title="officeDecides" entries={refused.filter(({ isRead }) => isRead)} />
    </>
  )
}

function Part({ title, entries }: { title: Word; entries: readonly Refused[] }) {
  const say = useSay()
  if (entries.length === 0) return null
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h2 id={title} className="px-1 font-semibold">
        {say(title)}
      </h2>
      {groupByCause(entries).map((group) => (
        <Group key={group[0]?.id} entries={group} />
      ))}
    </section>
  )
}

function Group({ entries }: { entries: readonly Refused[] }) {
  const say = useSay()
  const formats = useDriverFormats()
  const corrected = useCorrected()
  const actionText = useActionText()
  const causeText = useCauseText()
  const causes = new Set(entries.map((entry) => (entry.decision ? standOf(entry, say).text : causeText(entry))))
  const shared = causes.size === 1 ? [...causes][0] : undefined
  const [first] = entries
  if (!first) return null
  const { isBad } = standOf(first, say)
  return (
    <Card>
      <div className="px-4 py-3">
        <p className={isBad ? 'font-semibold text-bad' : 'font-semibold'}>{shared ?? say('notAccepted')}</p>
        {first.decision?.note && <p className="whitespace-pre-line break-words">{first.decision.note}</p>}
        {!first.decision && entries.some(({ isConflict }) => isConflict) && <p>{say('keptForOffice')}</p>}
      </div>
      <ul>
        {entries.map((entry) => (
          <li key={entry.id} className="flex min-h-13 items-center gap-3 border-line border-t px-4 py-2">
            <span className="min-w-0 flex-1">
              <span className="block font-semibold text-large">
                {[actionText(entry.op), entry.awb].filter(Boolean).join(' · ')}
              </span>
              {!shared && <span className="block text-bad">{causeText(entry)}</span>}
            </span>
            <span className="numbers">{formats.time(corrected(entry.op?.occurredAt ?? entry.at))}</span>
          </li>
        ))}
      </ul>
      {!first.isRead && (
        <div className="border-line border-t p-3">
          <button type="button" className={`${plainButton} w-full`} onClick={() => void phone.dismissRefused(entries)}>
            {say('gotIt')}
          </button>
        </div>
      )}
    </Card>
  )
}
