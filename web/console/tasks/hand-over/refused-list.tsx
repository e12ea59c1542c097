import type { Refused } from './hand-over.ts'

const most = 50

/** What stays as it is, each with its reason. */
export function RefusedList({ refused, title }: { refused: Refused[]; title: string }) {
  return (
    <div role="alert" className="grid gap-1">
      <p className="font-medium text-bad">{title}</p>
      <ul className="numbers grid max-h-60 gap-1 overflow-y-auto">
        {refused.slice(0, most).map(({ task, why }) => (
          <li key={task.id} className="[overflow-wrap:anywhere]">
            <span className="font-medium">{task.awb}</span> <span className="text-ink-soft">{why}</span>
          </li>
        ))}
        {refused.length > most && <li>…</li>}
      </ul>
    </div>
  )
}
