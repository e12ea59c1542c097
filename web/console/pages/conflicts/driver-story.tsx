import { isToldLate } from '../../../../core/device-clock.ts'
import { useFormats } from '../../../api/time.ts'
import { useSay } from '../../../words/console.ts'
import type { Conflict, ConflictGroup } from '../../conflicts/group.ts'

/** What a kept op says beside its type; each type has some of it. */
interface KeptOp {
  reason?: string | null
  note?: string | null
  name?: string | null
  code?: string
  amount?: number
  answers?: { field_key: string; answer: unknown }[]
  lat?: number | null
  lng?: number | null
}

/** What the driver did, when and where, and what they show for it. */
export function DriverStory({ group: { conflicts } }: { group: ConflictGroup }) {
  const say = useSay()
  const [first] = conflicts
  return (
    <>
      <ol className="grid gap-3">
        {conflicts.map((conflict) => (
          <Action key={conflict.id} conflict={conflict} />
        ))}
      </ol>
      {first.evidence.length > 0 && (
        <>
          <h4 className="mt-4 mb-1 font-medium text-ink-soft">{say('alsoKept', { driver: first.user.name })}</h4>
          <ul className="grid gap-1.5">
            {first.evidence.map(({ id, note, image }) => (
              <li key={id} className="[overflow-wrap:anywhere]">
                {note}
                {image && <Picture path={image} driver={first.user.name} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Action({ conflict }: { conflict: Conflict }) {
  const say = useSay()
  const { dateTime, money } = useFormats()
  const { type, occurredAt, recordedAt, image, user } = conflict
  const op = conflict.op as KeptOp
  const values = { code: op.code ?? '', amount: money(op.amount ?? 0) }
  const told = (answer: unknown) => (typeof answer === 'boolean' ? say(answer ? 'yes' : 'no') : String(answer))
  const answers = op.answers?.map(({ field_key, answer }) => `${field_key}: ${told(answer)}`).join('\n')
  const text = op.reason ?? op.note ?? op.name ?? answers
  const isLate = isToldLate(occurredAt, recordedAt)
  const awaitsPicture = !image && (type === 'photo' || type === 'signature')
  return (
    <li>
      <p className="font-medium">{say.known(`did_${type}`, values) ?? say('did_other')}</p>
      {text && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>}
      {image && <Picture path={image} driver={user.name} />}
      {awaitsPicture && <p className="text-ink-soft">{say('pictureComing')}</p>}
      <p className="numbers text-ink-faint text-xs">
        <time dateTime={occurredAt}>{dateTime(occurredAt)}</time>
        {isLate && ` · ${say('reachedUs', { time: dateTime(recordedAt) })}`} · <Place conflict={conflict} op={op} />
      </p>
    </li>
  )
}

function Place({ conflict: { metresAway }, op: { lat, lng } }: { conflict: Conflict; op: KeptOp }) {
  const say = useSay()
  const { distance } = useFormats()
  if (metresAway !== null) return say('atTheAddress', { distance: distance(metresAway) })
  if (lat == null || lng == null) return say('placeUnknown')
  return say('placeKnown', { place: `${lat.toFixed(5)}, ${lng.toFixed(5)}` })
}

const Picture = ({ path, driver }: { path: string; driver: string }) => {
  const say = useSay()
  return (
    <a href={path} target="_blank" rel="noreferrer" className="mt-1 block w-fit">
      <img
        src={`${path}?size=thumb`}
        alt={say('conflictPicture', { driver })}
        className="max-h-40 rounded border border-line"
      />
    </a>
  )
}
