import type { PhoneTask } from '../../../contract/sync.ts'
import { fold } from '../../../core/search.ts'

type Findable = Pick<PhoneTask, 'awb' | 'address'> & {
  customer: Pick<NonNullable<PhoneTask['customer']>, 'name' | 'phone'> | null
}

/** Without what people write between digits, and without the 0 or the country before the number. */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')

/** Fewer digits say too little. */
const fewestDigits = 3

/** The stops that have all these words in their AWB, address or customer, or whose phone has these digits. */
export function findStops<Task extends Findable>(tasks: readonly Task[], text: string): Task[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const digits = /^[\d\s()+./-]+$/.test(text.trim()) ? digitsOf(text) : ''
  return tasks.filter(({ awb, address, customer }) => {
    const place = [address.address, address.addressSecondLine, address.area, address.city]
    const said = fold([awb, ...place, customer?.name].filter(Boolean).join(' '))
    if (words.every((word) => said.includes(word))) return true
    return digits.length >= fewestDigits && digitsOf(customer?.phone ?? '').includes(digits)
  })
}
