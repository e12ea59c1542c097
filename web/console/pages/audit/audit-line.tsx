import { useFormats } from '../../../api/time.ts'
import { useSay } from '../record-words.ts'
import { useSettingTexts } from '../setting-texts.ts'
import { type Change, type Entry, tellActor, tellField, tellKind, tellSubject, tellValue } from './tell.ts'

const failed = ['person.passwordWrong', 'driver.codeWrong']

/** One entry: who did what, and opened, what was there before and where it came from. */
export function AuditLine({ entry }: { entry: Entry }) {
  const say = useSay()
  const { dateTime } = useFormats()
  const { kind, actor, at, count, address, userAgent, changes } = entry
  const subject = tellSubject(entry)
  return (
    <li className="rounded-lg border border-line bg-surface">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <span className="font-medium [overflow-wrap:anywhere]">{tellActor(actor, say)}</span>
          <span className={failed.includes(kind) ? 'text-bad' : ''}>{tellKind(kind, say)}</span>
          {subject && <span className="[overflow-wrap:anywhere]">{subject}</span>}
          {count > 1 && <span className="text-bad">{say('auditTimes', { n: count })}</span>}
          <span className="numbers ml-auto text-ink-soft">{dateTime(at)}</span>
        </summary>
        <div className="grid gap-2 border-line border-t px-3 py-2">
          {changes.length > 0 && <Changes changes={changes} />}
          {(address || userAgent) && (
            <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 [&_dd]:[overflow-wrap:anywhere] [&_dt]:text-ink-soft">
              {address && (
                <>
                  <dt>{say('auditFrom')}</dt>
                  <dd>{address}</dd>
                </>
              )}
              {userAgent && (
                <>
                  <dt>{say('auditProgram')}</dt>
                  <dd>{userAgent}</dd>
                </>
              )}
            </dl>
          )}
          {changes.length === 0 && !address && !userAgent && <p className="text-ink-soft">{say('auditNothingMore')}</p>}
        </div>
      </details>
    </li>
  )
}

const cell = 'py-1 pr-3 text-left align-top font-normal [overflow-wrap:anywhere]'

function Changes({ changes }: { changes: Change[] }) {
  const say = useSay()
  const settings = useSettingTexts()
  const hasBefore = changes.some((change) => 'before' in change)
  const hasAfter = changes.some((change) => 'after' in change)
  const value = (change: Change, of: 'before' | 'after') => (
    <td className={cell}>
      {of in change ? (
        tellValue(change.field, change[of], settings, say)
      ) : 'before' in change || 'after' in change ? (
        ''
      ) : (
        <span className="text-ink-soft italic">{say('auditHidden')}</span>
      )}
    </td>
  )
  return (
    <table className="w-full">
      <thead className="text-ink-soft text-xs">
        <tr>
          <th scope="col" className={cell}>
            {say('auditField')}
          </th>
          {hasBefore && (
            <th scope="col" className={cell}>
              {say('auditBefore')}
            </th>
          )}
          {(hasAfter || !hasBefore) && (
            <th scope="col" className={cell}>
              {say('auditAfter')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field} className="border-line border-t">
            <th scope="row" className={cell}>
              {tellField(change.field, settings, say)}
            </th>
            {hasBefore && value(change, 'before')}
            {(hasAfter || !hasBefore) && value(change, 'after')}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
