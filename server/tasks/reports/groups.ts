import { Refusal } from '../../../contract/errors.ts'
import { feedbackGroups, taskGroups } from '../../../contract/report.ts'

export type TaskGroup = (typeof taskGroups)[number]

/** Customers are many, and looked for only if somebody asks. */
const usual = taskGroups.filter((group) => group !== 'customer')

export function readGroups(text: string | undefined): readonly TaskGroup[] {
  if (text === undefined) return usual
  const named = text.split(',').map((one) => one.trim())
  if (named.some((one) => !isOneOf(taskGroups, one))) throw refuseGroup(`one or more of ${taskGroups.join(', ')}`)
  return taskGroups.filter((group) => named.includes(group))
}

/** A CSV is one table. Undefined is the sums alone. */
export function readTaskTable(text: string | undefined): TaskGroup | undefined {
  if (text === undefined) return undefined
  const name = text.trim()
  if (isOneOf(taskGroups, name)) return name
  throw refuseGroup(`one of ${taskGroups.join(', ')}, because a CSV is one table`)
}

export function readFeedbackTable(text = 'rating') {
  const name = text.trim()
  if (isOneOf(feedbackGroups, name)) return name
  throw refuseGroup(`one of ${feedbackGroups.join(', ')}`)
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

const refuseGroup = (what: string) => new Refusal('VALIDATION_FAILED', { field: 'by', message: `by must be ${what}` })
