interface Labelled {
  awb: string
  customFields: readonly { key: string; value: unknown }[]
}

/** Whether a code is on the parcel of a task: its AWB, or what one of its custom fields holds, alone or in a list. */
export function compareScan({ awb, customFields }: Labelled, code: string) {
  if (code === awb) return { code, matches: true }
  const found = customFields.find(({ value }) => codesIn(value).includes(code))
  return found ? { code, matches: true, field: found.key } : { code, matches: false }
}

const codesIn = (value: unknown) =>
  [value]
    .flat()
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).trim())
