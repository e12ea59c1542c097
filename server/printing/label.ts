import { moneyOf } from '../../core/money.ts'
import { settingsOf } from '../../core/settings.ts'
import type { Language } from '../../core/words/languages.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { phoneOf } from '../tasks/customers/customers.ts'
import { leftToBePaidOf, totalPriceOf } from '../tasks/money.ts'
import { shownPart } from '../tasks/parts.ts'
import { findFirstAwbs } from '../tasks/read/chain.ts'
import { otherOf } from '../tasks/read/tried.ts'
import { viewTasks } from '../tasks/read/view.ts'
import type { TaskView } from '../tasks/tables.ts'
import type { Fact, Label } from '../threads/paper.ts'
import { formatsOf } from './formats.ts'
import { type Hub, listHubs } from './queries.ts'
import { type Say, sayIn } from './words.ts'

/* A label in words: what all formats show. */

/** The labels of these tasks, in their order. */
export async function readLabels(
  db: Db,
  organisation: Organisation,
  taskIds: number[],
  language: Language,
): Promise<Label[]> {
  const tasks = await viewTasks(db, organisation.id, taskIds)
  const teamIds = [...new Set(tasks.flatMap(({ team_id }) => team_id ?? []))]
  const [hubs, firstAwbs] = await Promise.all([
    listHubs(db, organisation.id, teamIds),
    findFirstAwbs(
      db,
      tasks.filter(({ owner_id, chain_awbs }) => owner_id !== null && chain_awbs !== null),
    ),
  ])
  const hubOf = ({ team_id }: TaskView) =>
    hubs.find((hub) => hub.team_id === team_id) ?? hubs.find((hub) => hub.team_id === null)
  return tasks.map((task) =>
    describeLabel(task, organisation, language, hubOf(task), firstAwbs.get(task.id) || task.awb),
  )
}

export function describeLabel(
  task: TaskView,
  organisation: Organisation,
  language: Language,
  hub: Hub | undefined,
  code: string,
): Label {
  const say = sayIn(language)
  const { address, customer } = task
  const mayCall = settingsOf(organisation).allowDriverToCallTheCustomer
  const phone = customer && mayCall ? phoneOf(customer) : ''
  const town = [shownPart(address, 'postalCode'), shownPart(address, 'city')].filter(Boolean).join(' ')
  return {
    from: senderOf(task, organisation, hub, say),
    marks: marksOf(task, say),
    to: {
      title: say(task.pickup_task ? 'pickupFrom' : 'to'),
      name: customer?.name ?? '',
      address: address.address,
      door: address.address_second_line ?? '',
      town,
      phone: phone && say('phone', { phone }),
    },
    facts: factsOf(task, organisation, language, say),
    notes: [task.customer_notes, ...(task.instructions ?? [])].filter(Boolean).join(' · '),
    code,
    withoutBars: say('onlyQr'),
  }
}

/** A partner's parcel comes from the partner; our own leaves from the hub. */
function senderOf(task: TaskView, organisation: Organisation, hub: Hub | undefined, say: Say): string[] {
  const owner = task.owner_id === null ? undefined : task.partners?.[task.owner_id]
  if (owner) return [say('from', { name: owner.name }), owner.phone ?? ''].filter(Boolean)
  const { name, phone } = organisation
  const place = hub && [hub.name, hub.address || hub.city].filter(Boolean).join(', ')
  return [say('from', { name }), place ?? '', phone ?? ''].filter(Boolean)
}

function marksOf(task: TaskView, say: Say): string[] {
  const fulfiller = task.fulfiller_id === null ? undefined : task.partners?.[task.fulfiller_id]
  return [
    task.pickup_task && say('pickup'),
    task.priority > 0 && say('priority'),
    fulfiller && say('deliveredBy', { name: fulfiller.name }),
  ].filter((mark) => typeof mark === 'string')
}

function factsOf(task: TaskView, organisation: Organisation, language: Language, say: Say): Fact[] {
  const formats = formatsOf(language, organisation.timezone, organisation.currency)
  const amount = toCollect(task)
  const method = say(methodOf(task))
  const window = formats.window(task.complete_after, task.complete_before, say)
  const facts: (Fact | false)[] = [
    amount > 0
      ? [say('toCollect'), say('amountBy', { amount: formats.money(amount), method })]
      : [say('toCollect'), say('nothingToCollect')],
    task.quantity !== null && [say('items'), String(task.quantity)],
    window !== '' && [say('window'), window],
  ]
  return facts.filter((fact) => fact !== false)
}

/** What the driver still has to bring. */
export const toCollect = (task: TaskView): number =>
  moneyOf({
    collectPayment: task.collect_payment,
    totalPrice: totalPriceOf(task),
    leftToBePaid: leftToBePaidOf(task),
    statusId: task.status_id,
    reattemptedAs: otherOf(task, task.reattempted_as) ?? null,
  }).toCollect

const card = 2
export const methodOf = (task: TaskView) => (task.payment_type_id === card ? 'card' : 'cash')
