/* What a client may send, checked by hand as a small team would: both peers refuse the same things. */

export class Refusal extends Error {
  constructor(status, code, message = code) {
    super(message)
    this.status = status
    this.code = code
  }
}

const text = (most) => (value) => typeof value === 'string' && value.length > 0 && value.length <= most
const whole = (value) => Number.isInteger(value) && value >= 0
const flag = (value) => typeof value === 'boolean'
const time = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const between = (least, most) => (value) => Number.isFinite(value) && value >= least && value <= most
const amount = (value) => Number.isFinite(value) && value >= 0 && value < 1e9
const phone = (value) => typeof value === 'string' && /^\+?\d{6,15}$/.test(value.replace(/[\s.-]/g, ''))

const place = { lat: between(-90, 90), lng: between(-180, 180) }

const taskRules = {
  awb: text(100),
  details: text(5_000),
  customerNotes: text(5_000),
  totalPrice: amount,
  deliveryPrice: amount,
  paymentTypeId: (value) => value === 1 || value === 2,
  inventory: (value) => JSON.stringify(value).length <= 65_536,
  customFields: (value) => Array.isArray(value) && value.length <= 500 && JSON.stringify(value).length <= 65_536,
  formId: whole,
  priority: whole,
  quantity: whole,
  serviceTime: whole,
  collectPayment: flag,
  pickupTask: flag,
  sendNotifications: flag,
  completeAfter: time,
  completeBefore: time,
}
const addressRules = {
  address: text(500),
  addressSecondLine: text(200),
  city: text(100),
  area: text(100),
  streetNumber: text(50),
  streetName: text(100),
  country: text(2),
  postalCode: text(20),
  ...place,
}
const customerRules = {
  name: text(200),
  phone,
  email: text(200),
  address: text(500),
  addressSecondLine: text(200),
  ...place,
}

function check(given, rules, path, missing = []) {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Refusal(400, 'INVALID', `${path} must be an object`)
  for (const name of missing) if (given[name] == null) throw new Refusal(400, 'INVALID', `${path}.${name} is missing`)
  const kept = {}
  for (const [name, value] of Object.entries(given)) {
    const rule = rules[name]
    if (!rule) throw new Refusal(400, 'INVALID', `${path}.${name} is not known`)
    if (value === null) continue
    if (!rule(value)) throw new Refusal(400, 'INVALID', `${path}.${name} is not valid`)
    kept[name] = value
  }
  return kept
}

/** The task, its address and its customer, apart. */
export function readTask(body) {
  if (typeof body !== 'object' || body === null) throw new Refusal(400, 'INVALID', 'The body must be an object')
  const { address, customer, ...task } = body
  const checked = check(task, taskRules, 'task')
  const { totalPrice, collectPayment = totalPrice > 0 } = checked
  return {
    task: { awb: crypto.randomUUID(), ...checked, collectPayment, leftToBePaid: totalPrice },
    address: check(address, addressRules, 'address', ['address']),
    customer: customer && readCustomer(customer),
  }
}

function readCustomer(given) {
  const customer = check(given, customerRules, 'customer', ['phone'])
  return { ...customer, phone: customer.phone.replace(/[\s.-]/g, '') }
}

const mostTasks = 1_000

export function readTasks(body) {
  const tasks = body?.tasks
  if (!Array.isArray(tasks) || tasks.length === 0 || tasks.length > mostTasks)
    throw new Refusal(400, 'INVALID', `tasks must be a list of 1 to ${mostTasks}`)
  return tasks
}

export function readPage({ limit = '20', cursor = '0' }) {
  const page = { limit: Number(limit), after: Number(cursor) }
  if (!Number.isInteger(page.limit) || page.limit < 1 || page.limit > 100 || !Number.isInteger(page.after))
    throw new Refusal(400, 'INVALID', 'limit or cursor is not valid')
  return page
}
