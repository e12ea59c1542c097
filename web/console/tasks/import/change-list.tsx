import { ArrowRight } from 'lucide-react'
import { useDrivers, useForms, useTeams } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { fieldWords } from './columns.ts'
import type { Change } from './existing.ts'
import { useSay, type Word } from './words.ts'

/** What a list can change in a task, by the names the server has for it. What only follows from these is not shown. */
const changeWords: Record<string, Word> = {
  'address.address': fieldWords.address,
  'address.addressSecondLine': fieldWords.addressSecondLine,
  'address.streetName': fieldWords.streetName,
  'address.streetNumber': fieldWords.streetNumber,
  'address.city': fieldWords.city,
  'address.area': fieldWords.area,
  'address.postalCode': fieldWords.postalCode,
  'address.country': fieldWords.country,
  'address.lat': fieldWords.lat,
  'address.lng': fieldWords.lng,
  completeAfter: fieldWords.completeAfter,
  completeBefore: fieldWords.completeBefore,
  'customer.name': fieldWords.customerName,
  'customer.phone': fieldWords.customerPhone,
  'customer.email': fieldWords.customerEmail,
  details: fieldWords.details,
  customerNotes: fieldWords.customerNotes,
  totalPrice: fieldWords.totalPrice,
  deliveryPrice: fieldWords.deliveryPrice,
  quantity: fieldWords.quantity,
  serviceTime: fieldWords.serviceTime,
  priority: fieldWords.priority,
  pickupTask: fieldWords.pickupTask,
  userId: fieldWords.driver,
  teamId: fieldWords.team,
  formId: fieldWords.form,
  customFields: 'customFields',
}

/** Field by field: what it is now, and what it becomes. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const say = useSay()
  const write = useWrite()
  const isLost = changes.some(({ field, to }) => field === 'address.lat' && to === null)
  const shown = changes.filter(({ field }) => changeWords[field] && !(isLost && /^address\.(lat|lng)$/.test(field)))
  return (
    <div className="grid grid-cols-1 gap-0.5 sm:pl-13">
      <dl className="grid gap-x-3 gap-y-0.5 sm:grid-cols-[max-content_1fr]">
        {shown.map(({ field, from, to }) => (
          <div key={field} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="text-ink-soft">{say(changeWords[field] as Word)}</dt>
            <dd className="min-w-0 break-words">
              <del className="text-ink-soft">{write(field, from)}</del>
              <ArrowRight aria-hidden className="mx-1.5 inline size-3.5 text-ink-soft" />
              <ins className="font-medium no-underline">{write(field, to)}</ins>
            </dd>
          </div>
        ))}
      </dl>
      {isLost && <p className="text-ink-soft">{say('changeRelocated')}</p>}
    </div>
  )
}

function useWrite() {
  const say = useSay()
  const { dateTime, money } = useFormats()
  const { data: drivers = [] } = useDrivers()
  const { data: teams = [] } = useTeams()
  const { data: forms = [] } = useForms()
  const named: Record<string, readonly { id: number; name: string }[]> = {
    userId: drivers,
    teamId: teams,
    formId: forms,
  }
  return (field: string, value: unknown): string => {
    if (value === null || value === undefined || value === '') return say('changeNothing')
    if (named[field]) return named[field].find(({ id }) => id === value)?.name ?? String(value)
    if (field === 'completeAfter' || field === 'completeBefore') return dateTime(String(value))
    if (field === 'totalPrice' || field === 'deliveryPrice') return money(Number(value))
    if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
    if (Array.isArray(value))
      return (value as { key: string; value: unknown }[]).map((one) => `${one.key}: ${textOf(one.value)}`).join(', ')
    return textOf(value)
  }
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
