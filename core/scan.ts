interface Labelled {
  awb: string
  /** What partners call the same parcel. */
  partnerAwbs?: readonly string[]
  customFields: readonly { key: string; value: unknown }[]
}

const plain = (code: string) => code.trim().toUpperCase()

/** The same code, however it was typed: upper or lower case, with spaces around it or without. */
export const isSameCode = (one: string, other: string): boolean => plain(one) === plain(other)

/** Whether a code is on the parcel of a task: its AWB, a partner's, or what one of its custom fields holds, alone or in a list. */
export function compareScan({ awb, partnerAwbs = [], customFields }: Labelled, code: string) {
  if ([awb, ...partnerAwbs].some((one) => isSameCode(code, one))) return { code, matches: true }
  const found = customFields.find(({ value }) => codesIn(value).some((one) => isSameCode(code, one)))
  return found ? { code, matches: true, field: found.key } : { code, matches: false }
}

/** The task whose parcel has this code. An AWB says more than a custom field, which several parcels may share. */
export const findByCode = <Task extends Labelled>(tasks: readonly Task[], code: string): Task | undefined =>
  tasks.find(({ awb }) => awb === code.trim()) ??
  tasks.find(({ awb }) => isSameCode(awb, code)) ??
  tasks.find((task) => compareScan(task, code).matches)

const codesIn = (value: unknown) =>
  [value]
    .flat()
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map(String)
