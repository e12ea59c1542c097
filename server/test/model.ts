/*
 * What SPEC 4, 5, 7 and 8 say about tasks, small enough to be read beside them. Written from the text alone: it shares
 * no code with the server, above all not the table of moves. An operation changes the model and returns what the server
 * must answer; if a request is wrong in several ways, any of the codes is right.
 */

export const Unassigned = 1
export const Assigned = 6
export const InTransit = 7
export const Succeeded = 9
export const Failed = 10

const isEnded = (status: number | null) => status === Succeeded || status === Failed
const isOpen = (status: number | null) => status === Assigned || status === InTransit

/** The table of moves: from where, to where, and what fires. Null is "no such task". */
export const moves = {
  create: { from: [null], to: Unassigned, fires: [4] },
  createForDriver: { from: [null], to: Assigned, fires: [4, 7] },
  assign: { from: [Unassigned], to: Assigned, fires: [7, 5] },
  reassign: { from: [Assigned], to: Assigned, fires: [8, 7, 5] },
  unassign: { from: [Assigned, InTransit], to: Unassigned, fires: [8, 5] },
  start: { from: [Assigned], to: InTransit, fires: [1] },
  complete: { from: [Assigned, InTransit], to: Succeeded, fires: [2] },
  fail: { from: [Assigned, InTransit], to: Failed, fires: [3] },
  delete: { from: [Unassigned, Assigned], to: null, fires: [6] },
} as const satisfies Record<string, { from: readonly (number | null)[]; to: number | null; fires: readonly number[] }>

export type Move = keyof typeof moves

/** One change of one task: its triggers, in order, and what the log must say about them. */
export interface Change {
  task: ModelTask
  triggers: readonly number[]
  from: number | null
  to: number | null
  /** The driver named by an event: for 8 the one who lost it, otherwise the one who has it now. */
  driver: (trigger: number) => number | null
  /** Of a field edit: what changed, with the values before. */
  previous?: Record<string, unknown>
  actor: 'API' | 'DRIVER'
}

export interface ModelTask {
  id: number
  awb: string
  details: string
  priority: number
  totalPrice: number | null
  collectPayment: boolean
  /** The sum of all payments. */
  paid: number
  statusId: number
  userId: number | null
  teamId: number | null
  cancelReason: string | null
  notes: number
  isAccepted: boolean
  isStarted: boolean
  hasArrived: boolean
  /** The driver who ended it, if one did. */
  endedBy: number | null
  /** Every driver who has ever had it. */
  hadBy: Set<number>
  isDeleted: boolean
  dependencies: ModelTask[]
}

export interface ModelDriver {
  id: number
  token: string
  inShift: boolean
  isDeleted: boolean
  /** Open tasks, in the order of the route. */
  route: ModelTask[]
}

export const defaultSettings = {
  forceCompleteAsFailed: false,
  forceCompleteAsFailedCancelReason: null as string | null,
  automaticDriverFlow: false,
  disableAdminUnassignToOrg: false,
  enableAWB: true,
  enableTeamAssignment: true,
  driverAutoAcceptOrders: true,
  driverAutoStartsTaskOnAccept: false,
  allowDriverToCancelTask: true,
  allowDriverToTakeNotesOnSite: true,
  allowDriverToTakePaymentsOnSite: true,
  allowPartialPayments: false,
}
export type ModelSettings = typeof defaultSettings

/** What the server must answer: an item or a request succeeds, or is refused by one of these codes. */
export type Verdict = 'done' | { refused: string[] }
const refused = (...codes: string[]): Verdict => ({ refused: codes })

export interface Draft {
  awb?: string
  totalPrice?: number | null
  collectPayment?: boolean
  teamId?: number
  userId?: number
  dependencies?: string[]
}

export interface Edit {
  awb?: string
  details?: string
  priority?: number
  totalPrice?: number | null
  collectPayment?: boolean
  teamId?: number | null
  dependencies?: string[]
}

export type Verb = 'accept' | 'start' | 'arrive' | 'complete' | 'fail' | 'notes' | 'payment'

export function createModel(teamIds: number[]) {
  const settings = { ...defaultSettings }
  const tasks: ModelTask[] = []
  const drivers: ModelDriver[] = []
  const teams = new Set(teamIds)
  let changes: Change[] = []

  const findTask = (awb: string) => tasks.find((task) => task.awb === awb && !task.isDeleted)
  const findDriver = (id: number) => drivers.find((driver) => driver.id === id && !driver.isDeleted)
  const leaveRoute = (task: ModelTask) => {
    for (const driver of drivers) driver.route = driver.route.filter((other) => other !== task)
  }

  function record(task: ModelTask, move: Move, from: number | null, actor: Change['actor'], lostBy: number | null) {
    const { userId } = task
    const { fires, to } = moves[move]
    const driver = (trigger: number) => (trigger === 8 ? lostBy : userId)
    changes.push({ task, triggers: fires, from, to, driver, actor })
  }

  function edited(task: ModelTask, previous: Record<string, unknown> | undefined, actor: Change['actor'] = 'API') {
    const { statusId, userId } = task
    const change = { task, triggers: [5], from: statusId, to: statusId, driver: () => userId, actor }
    changes.push(previous ? { ...change, previous } : change)
  }

  /** The one place where a status changes. */
  function move(task: ModelTask, name: Move, actor: Change['actor'], driverId = task.userId) {
    const { statusId: from, userId: before } = task
    const { to } = moves[name]
    if (!(moves[name].from as readonly (number | null)[]).includes(from))
      throw new Error(`The model knows no move ${name} from ${from}`)
    if (to === null) task.isDeleted = true
    else task.statusId = to
    if (to === Unassigned) task.userId = null
    else task.userId = driverId
    if (to === Unassigned || task.userId !== before) {
      task.isAccepted = false
      task.isStarted = false
      task.hasArrived = false
    }
    if (to === InTransit) task.isStarted = true
    if (isEnded(to)) task.endedBy = actor === 'DRIVER' ? task.userId : null
    if (task.userId !== before || !isOpen(to)) leaveRoute(task)
    if (to === Assigned) {
      findDriver(driverId as number)?.route.push(task)
      task.hadBy.add(driverId as number)
    }
    record(task, name, from, actor, before)
  }

  /** No task waits for a deleted one. */
  const isBlocked = (task: ModelTask) =>
    task.dependencies.some(({ statusId, isDeleted }) => !isDeleted && statusId !== Succeeded)

  const dependsOn = (task: ModelTask, wanted: ModelTask): boolean =>
    task === wanted || task.dependencies.some((one) => !one.isDeleted && dependsOn(one, wanted))

  function judgeDraft(draft: Draft): Verdict {
    const codes: string[] = []
    if (draft.awb !== undefined && settings.enableAWB && findTask(draft.awb)) codes.push('AWB_TAKEN')
    if (draft.userId !== undefined && !findDriver(draft.userId)) codes.push('DRIVER_NOT_FOUND')
    if (draft.teamId !== undefined && !teams.has(draft.teamId)) codes.push('TEAM_NOT_FOUND')
    if (draft.teamId !== undefined && draft.userId === undefined && !settings.enableTeamAssignment)
      codes.push('FORBIDDEN_BY_SETTING')
    if (draft.dependencies?.some((awb) => !findTask(awb))) codes.push('TASK_NOT_FOUND')
    return codes.length > 0 ? refused(...codes) : 'done'
  }

  /** `given` is what only the server can know: the id, and the awb if it was generated. */
  function create(draft: Draft, given: { id: number; awb: string }) {
    const totalPrice = draft.totalPrice ?? null
    const task: ModelTask = {
      id: given.id,
      awb: given.awb,
      details: '',
      priority: 0,
      totalPrice,
      collectPayment: draft.collectPayment ?? (totalPrice ?? 0) > 0,
      paid: 0,
      statusId: draft.userId === undefined ? Unassigned : Assigned,
      userId: draft.userId ?? null,
      teamId: draft.teamId ?? null,
      cancelReason: null,
      notes: 0,
      isAccepted: false,
      isStarted: false,
      hasArrived: false,
      endedBy: null,
      hadBy: new Set(draft.userId === undefined ? [] : [draft.userId]),
      isDeleted: false,
      dependencies: [...new Set(draft.dependencies?.map((awb) => findTask(awb) as ModelTask))],
    }
    tasks.push(task)
    if (draft.userId !== undefined) findDriver(draft.userId)?.route.push(task)
    record(task, draft.userId === undefined ? 'create' : 'createForDriver', null, 'API', null)
    return task
  }

  function update(awb: string, edit: Edit): Verdict {
    const task = findTask(awb)
    if (!task) return refused('TASK_NOT_FOUND')
    const codes: string[] = []
    const renamed = edit.awb !== undefined && settings.enableAWB ? edit.awb : task.awb
    if (renamed !== task.awb && findTask(renamed)) codes.push('AWB_TAKEN')
    if (edit.teamId != null && edit.teamId !== task.teamId) {
      if (!teams.has(edit.teamId)) codes.push('TEAM_NOT_FOUND')
      if (task.userId === null && !settings.enableTeamAssignment) codes.push('FORBIDDEN_BY_SETTING')
    }
    const dependencies = edit.dependencies?.map(findTask)
    if (dependencies?.includes(undefined)) codes.push('TASK_NOT_FOUND')
    else if (dependencies?.some((one) => dependsOn(one as ModelTask, task))) codes.push('VALIDATION_FAILED')
    if (codes.length > 0) return refused(...codes)

    const before = wire(task)
    task.awb = renamed
    task.details = edit.details ?? task.details
    task.priority = edit.priority ?? task.priority
    if (edit.totalPrice !== undefined) task.totalPrice = edit.totalPrice
    const follows = task.collectPayment === (before.totalPrice ?? 0) > 0
    task.collectPayment = edit.collectPayment ?? (follows ? (task.totalPrice ?? 0) > 0 : task.collectPayment)
    if (edit.teamId !== undefined) task.teamId = edit.teamId
    if (dependencies) task.dependencies = [...new Set(dependencies as ModelTask[])]
    const after = wire(task)
    const previous = Object.fromEntries(
      Object.entries(before).filter(([key, value]) => !isSame(value, after[key as keyof typeof after])),
    )
    if (Object.keys(previous).length > 0) edited(task, previous)
    return 'done'
  }

  function assign(task: ModelTask | undefined, driverId: number): Verdict {
    if (!task || task.isDeleted) return refused('TASK_NOT_FOUND')
    if (task.statusId !== Unassigned && task.statusId !== Assigned) return refused('TASK_ALREADY_PROCESSED')
    if (task.statusId === Unassigned) move(task, 'assign', 'API', driverId)
    else if (task.userId !== driverId) move(task, 'reassign', 'API', driverId)
    return 'done'
  }

  function unassign(task: ModelTask | undefined): Verdict {
    const codes: string[] = []
    if (settings.disableAdminUnassignToOrg) codes.push('FORBIDDEN_BY_SETTING')
    if (!task || task.isDeleted) return refused(...codes, 'TASK_NOT_FOUND')
    if (isEnded(task.statusId)) codes.push('TASK_ALREADY_PROCESSED')
    if (codes.length > 0) return refused(...codes)
    if (task.statusId !== Unassigned) move(task, 'unassign', 'API')
    return 'done'
  }

  function forceComplete(awb: string, success: boolean | undefined, failureReason: string | undefined): Verdict {
    const task = findTask(awb)
    if (!task) return refused('TASK_NOT_FOUND')
    if (task.statusId === Unassigned) return refused('TASK_NOT_ASSIGNED')
    if (isEnded(task.statusId)) return refused('TASK_ALREADY_PROCESSED')
    const succeeds = success ?? !settings.forceCompleteAsFailed
    if (!succeeds) task.cancelReason = failureReason ?? settings.forceCompleteAsFailedCancelReason
    move(task, succeeds ? 'complete' : 'fail', 'API')
    return 'done'
  }

  function remove(awb: string): Verdict {
    const task = findTask(awb)
    if (!task) return refused('TASK_NOT_FOUND')
    if (task.statusId === InTransit) return refused('TASK_IN_TRANSIT')
    if (isEnded(task.statusId)) return refused('TASK_ALREADY_PROCESSED')
    move(task, 'delete', 'API')
    return 'done'
  }

  function note(task: ModelTask | undefined): Verdict {
    if (!task || task.isDeleted) return refused('TASK_NOT_FOUND')
    task.notes++
    edited(task, undefined)
    return 'done'
  }

  /** Why an amount cannot be paid when this much is left. */
  function judgeAmount(amount: number, left: number): Verdict {
    if (amount > left) return refused('PAYMENT_TOO_MUCH')
    return amount < left && !settings.allowPartialPayments ? refused('PAYMENT_PARTIAL') : 'done'
  }

  function addPayment(task: ModelTask, amount: number, actor: Change['actor']) {
    const { leftToBePaid } = wire(task)
    task.paid += amount
    edited(task, leftToBePaid === wire(task).leftToBePaid ? {} : { leftToBePaid }, actor)
  }

  /** The office enters a payment, or takes one back. */
  function pay(task: ModelTask | undefined, amount: number): Verdict {
    if (!task || task.isDeleted) return refused('TASK_NOT_FOUND')
    const verdict =
      amount > 0
        ? judgeAmount(amount, Math.max(0, (task.totalPrice ?? 0) - task.paid))
        : task.paid + amount < 0
          ? refused('PAYMENT_TOO_MUCH')
          : 'done'
    if (verdict === 'done') addPayment(task, amount, 'API')
    return verdict
  }

  /** The driver has already brought the task to the state the verb leads to. */
  const isThere = (driver: ModelDriver, { statusId, ...task }: ModelTask, verb: Verb) =>
    ({
      accept: task.isAccepted && isEnded(statusId),
      start: task.isStarted,
      arrive: task.hasArrived,
      complete: statusId === Succeeded && task.endedBy === driver.id,
      fail: statusId === Failed && task.endedBy === driver.id,
      notes: false,
      payment: false,
    })[verb]

  function act(driver: ModelDriver, task: ModelTask | undefined, verb: Verb, reason?: string, amount = 0): Verdict {
    if (driver.isDeleted) return refused('UNAUTHORIZED')
    if (!task || task.isDeleted || task.userId !== driver.id) {
      // What a driver does to a task that used to be theirs is noted in its timeline.
      if (task && !task.isDeleted && task.hadBy.has(driver.id)) edited(task, undefined, 'DRIVER')
      return refused('TASK_NOT_FOUND')
    }
    if (isThere(driver, task, verb)) return 'done'
    const codes: string[] = []
    const { statusId } = task
    if (verb === 'fail' && !settings.allowDriverToCancelTask) codes.push('FORBIDDEN_BY_SETTING')
    if (verb === 'notes' && !settings.allowDriverToTakeNotesOnSite) codes.push('FORBIDDEN_BY_SETTING')
    if (verb === 'payment') {
      const verdict = judgeAmount(amount, wire(task).leftToBePaid ?? 0)
      if (verdict !== 'done') codes.push(...verdict.refused)
      if (!settings.allowDriverToTakePaymentsOnSite) codes.push('FORBIDDEN_BY_SETTING')
    }
    if (verb !== 'notes' && verb !== 'payment' && isEnded(statusId)) codes.push('TASK_ALREADY_PROCESSED')

    const starts =
      statusId === Assigned && (verb === 'start' || (verb === 'accept' && settings.driverAutoStartsTaskOnAccept))
    const straight = verb === 'complete' && statusId === Assigned && settings.automaticDriverFlow
    if (verb === 'arrive' && statusId === Assigned) codes.push('TASK_NOT_STARTED')
    if (verb === 'complete' && statusId === Assigned && !straight) codes.push('TASK_NOT_STARTED')
    if ((starts || straight) && isBlocked(task)) codes.push('DEPENDENCY_OPEN')
    const isPaidAtOnce = settings.allowDriverToTakePaymentsOnSite && !settings.allowPartialPayments
    if (verb === 'complete' && isPaidAtOnce && wire(task).leftToBePaid) codes.push('PAYMENT_REQUIRED')
    if (verb === 'start' && statusId === Assigned && !settings.driverAutoAcceptOrders && !task.isAccepted)
      codes.push('TASK_NOT_ACCEPTED')
    if (codes.length > 0) return refused(...codes)

    if (verb === 'accept') {
      const isNews = !task.isAccepted
      task.isAccepted = true
      if (starts) move(task, 'start', 'DRIVER')
      else if (isNews) edited(task, undefined, 'DRIVER')
    }
    if (verb === 'start') move(task, 'start', 'DRIVER')
    if (verb === 'arrive') {
      task.hasArrived = true
      edited(task, undefined, 'DRIVER')
    }
    if (verb === 'complete') {
      move(task, 'complete', 'DRIVER')
      if (settings.automaticDriverFlow) startNext(driver)
    }
    if (verb === 'fail') {
      task.cancelReason = reason ?? null
      move(task, 'fail', 'DRIVER')
    }
    if (verb === 'payment') addPayment(task, amount, 'DRIVER')
    if (verb === 'notes') {
      task.notes++
      edited(task, undefined, 'DRIVER')
    }
    return 'done'
  }

  /** Completing starts the next task: the first of the route that may start, unless one is on its way already. */
  function startNext(driver: ModelDriver) {
    if (driver.route.some(({ statusId }) => statusId === InTransit)) return
    const mayStart = (task: ModelTask) => !isBlocked(task) && (settings.driverAutoAcceptOrders || task.isAccepted)
    const next = driver.route.find(mayStart)
    if (next) move(next, 'start', 'DRIVER')
  }

  function deleteDriver(driver: ModelDriver, force: boolean): Verdict {
    if (driver.isDeleted) return refused('DRIVER_NOT_FOUND')
    if (!force && driver.route.some(({ statusId }) => statusId === InTransit)) return refused('DRIVER_BUSY')
    for (const task of [...driver.route]) move(task, 'unassign', 'API')
    driver.isDeleted = true
    return 'done'
  }

  function deleteTeam(teamId: number): Verdict {
    if (!teams.delete(teamId)) return refused('TEAM_NOT_FOUND')
    for (const task of tasks) {
      if (task.teamId !== teamId || task.isDeleted) continue
      task.teamId = null
      edited(task, { teamId })
    }
    return 'done'
  }

  return {
    settings,
    tasks,
    drivers,
    teams,
    findTask,
    findDriver,
    judgeDraft,
    create,
    update,
    assign,
    unassign,
    forceComplete,
    remove,
    note,
    pay,
    act,
    deleteDriver,
    deleteTeam,
    /** What has changed since the last call. */
    takeChanges() {
      const taken = changes
      changes = []
      return taken
    },
  }
}

export type Model = ReturnType<typeof createModel>

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The fields of a task that the model knows, as answers show them. */
export function wire(task: ModelTask) {
  return {
    awb: task.awb,
    details: task.details,
    priority: task.priority,
    totalPrice: task.totalPrice,
    collectPayment: task.collectPayment,
    leftToBePaid: task.collectPayment && task.totalPrice !== null ? Math.max(0, task.totalPrice - task.paid) : null,
    statusId: task.statusId,
    userId: task.userId,
    teamId: task.teamId,
    cancelReason: task.cancelReason,
    driverArrived: task.hasArrived,
    notes: task.notes,
    dependencies: task.dependencies
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ id }) => id)
      .sort((one, other) => one - other),
  }
}
