import { TriangleAlert } from 'lucide-react'
import { useSay } from '../../words/driver.ts'
import { phone, useTrouble } from '../outbox/phone.ts'

/** What could not be kept, above the button that was tapped. Every screen and sheet has it. */
export function Trouble() {
  const say = useSay()
  const trouble = useTrouble()
  return (
    <div
      role="alert"
      className="flex items-center gap-3 border-bad border-t bg-bad-soft p-3 font-semibold text-bad empty:hidden"
    >
      {trouble && (
        <>
          <TriangleAlert aria-hidden className="size-5.5 shrink-0" />
          <span className="min-w-0 flex-1">{say(trouble)}</span>
          <button
            type="button"
            onClick={phone.trouble.dismiss}
            className="min-h-12 shrink-0 rounded-xl border border-bad px-4"
          >
            {say('gotIt')}
          </button>
        </>
      )}
    </div>
  )
}
