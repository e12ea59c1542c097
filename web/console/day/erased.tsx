import type { Task } from '../../api/data.ts'
import { shortAddress } from '../../tasks/address.ts'
import { type Say, useSay } from '../../words/console.ts'

/** The address of a task, or that its personal data was erased. */
export const addressText = ({ address, erasedAt }: Task, say: Say) => (erasedAt ? say('dataErased') : address.address)

/** The same where a task is one line among others; `long` for the whole address. */
export function AddressOf({ task, long = false }: { task: Task; long?: boolean }) {
  const say = useSay()
  if (task.erasedAt) return <span className="font-normal text-ink-faint italic">{say('dataErased')}</span>
  return long ? task.address.address : shortAddress(task)
}
