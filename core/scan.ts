import { isOpen, type StatusId } from './task-status.ts'

/** What of a task is compared with a code. */
export interface Labelled {
  awb: string
  /** What partners call the same parcel. */
  partnerAwbs?: readonly string[] | undefined
  /** Of the tries before it: the label stays on the parcel. */
  earlierAwbs?: readonly string[] | undefined
  /** The token of its tracking link, which a label or a message may show as a QR code. */
  uuid?: string
  customFields: readonly { key: string; value: unknown }[]
  statusId?: StatusId
}

const plain = (code: string) => code.trim().toUpperCase()

/** The same code, however it was typed: upper or lower case, with spaces around it or without. */
export const isSameCode = (one: string, other: string): boolean => plain(one) === plain(other)

/** The token in a tracking link of ours, on whatever server it is. */
export const tokenIn = (code: string): string | undefined => /\/t\/([\w-]{16,64})(?:[/?#]|$)/.exec(code.trim())?.[1]

/**
 * Whether a code is on the parcel of a task: its AWB, a partner's, that of an earlier try, its tracking link, or what one of its custom fields
 * holds, alone or in a list.
 */
export function compareScan({ awb, partnerAwbs = [], earlierAwbs = [], uuid, customFields }: Labelled, code: string) {
  if (uuid !== undefined && tokenIn(code) === uuid) return { code, matches: true }
  if ([awb, ...partnerAwbs, ...earlierAwbs].some((one) => isSameCode(code, one))) return { code, matches: true }
  const found = customFields.find(({ value }) => codesIn(value).some((one) => isSameCode(code, one)))
  return found ? { code, matches: true, field: found.key } : { code, matches: false }
}

/**
 * The task whose parcel has this code. An AWB says more than a custom field, which several parcels may share. A parcel that is
 * tried again is that of its newest try, whatever stands on it; so is one that a partner gave again, of which each try is a task by itself.
 */
export function findByCode<Task extends Labelled>(tasks: readonly Task[], code: string): Task | undefined {
  const found =
    tasks.find(({ awb }) => awb === code.trim()) ??
    tasks.find(({ awb }) => isSameCode(awb, code)) ??
    tasks.find((task) => compareScan(task, code).matches)
  if (found === undefined || isStillOpen(found)) return found
  const later = tasks.filter(
    (task) => task.earlierAwbs?.includes(found.awb) || (isStillOpen(task) && task.partnerAwbs?.includes(found.awb)),
  )
  return later.toSorted((one, other) => triesOf(other) - triesOf(one))[0] ?? found
}

const isStillOpen = ({ statusId }: Labelled) => statusId !== undefined && isOpen({ statusId })

const triesOf = ({ earlierAwbs = [] }: Labelled) => earlierAwbs.length

const codesIn = (value: unknown) =>
  [value]
    .flat()
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map(String)
