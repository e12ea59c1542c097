import { randomBytes } from 'node:crypto'
import { moves } from '../../../core/task-status.ts'
import { isDelayed, willBeDelayed } from '../arrival.ts'
import type { NewTask } from '../queries.ts'
import type { TaskView } from '../tables.ts'

/** A task that is done anew, by a partner or in a further try: what it is stays, what happened to it begins again. */
export function beginAgain(task: TaskView, now: Date): Omit<NewTask, 'id' | 'awb' | 'customer_id'> {
  const begun = {
    status_id: moves.create.to,
    user_id: null,
    complete_before: task.complete_before,
    route: null,
    driver_arrived: false,
    arrived_at: null,
    completed_at: null,
  }
  return {
    ...begun,
    uuid: randomBytes(16).toString('base64url'),
    created_at: now,
    updated_at: now,
    deleted_at: null,
    team_id: null,
    form_id: null,
    schedule_id: null,
    route_position: null,
    details: task.details,
    customer_notes: task.customer_notes,
    total_price: task.total_price,
    total_price_hundredths: task.total_price_hundredths,
    left_to_be_paid: task.left_to_be_paid,
    left_to_be_paid_hundredths: task.left_to_be_paid_hundredths,
    delivery_price: null,
    delivery_price_hundredths: 0,
    collect_payment: task.collect_payment,
    payment_type_id: task.payment_type_id,
    quantity: task.quantity,
    priority: task.priority,
    service_minutes: task.service_minutes,
    complete_after: task.complete_after,
    pickup_task: task.pickup_task,
    inventory: task.inventory,
    custom_fields: task.custom_fields,
    send_notifications: task.send_notifications,
    sent_eta: false,
    cancel_reason: null,
    cancel_reason_code: null,
    will_be_delayed: willBeDelayed({ ...begun, eta_at: null }, now),
    delayed: isDelayed(begun, now),
    accepted_at: null,
    started_at: null,
    last_sequence: moves.create.fires.length,
  }
}
