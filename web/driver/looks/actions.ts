import type { OpInput } from '../../../contract/op.ts'
import type { Refused } from '../../../phone/kept.ts'
import { itemProblem } from '../../api/problem.ts'
import { useSay, type Word } from '../../words/driver.ts'
import { useDriverFormats } from './day.ts'

const actionWords = {
  accept: 'didAccept',
  start: 'didStart',
  arrive: 'didArrive',
  complete: 'didComplete',
  fail: 'didFail',
  note: 'didNote',
  photo: 'didPhoto',
  signature: 'didSignature',
  scan: 'didScan',
  load: 'didLoad',
  payment: 'didPayment',
  form: 'didForm',
  duty: 'didDuty',
  seen: 'didSeen',
  takeBack: 'didTakeBack',
} as const satisfies Record<OpInput['type'], Word>

/** What the driver did, in words; money with its amount. Undefined is a picture. */
export function useActionText() {
  const say = useSay()
  const formats = useDriverFormats()
  return (op: OpInput | undefined) =>
    op?.type === 'payment'
      ? `${say(op.method)} ${formats.money(op.amount)}`
      : say(op ? actionWords[op.type] : 'didUpload')
}

/** Why it was not accepted. To the server the task of another driver does not exist; the driver knows that it does. */
export function useCauseText() {
  const say = useSay()
  return ({ error }: Pick<Refused, 'error'>) =>
    error.code === 'TASK_NOT_FOUND' ? say('takenFromYou') : itemProblem(error, say)
}
