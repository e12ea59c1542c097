/** A statement, or a part of one, with its values separate from its text. */
export class Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** Whether the plan depends on the values, so that one plan for all would be bad for some. */
  readonly isPlannedAnew: boolean

  constructor(text: string, values: readonly unknown[], isPlannedAnew = false) {
    this.text = text
    this.values = values
    this.isPlannedAnew = isPlannedAnew
  }
}

/** The same statement, planned each time for exactly these values. */
export const plannedAnew = ({ text, values }: Sql) => new Sql(text, values, true)

/** More than the ten that PostgreSQL expects of a list it does not know. */
const fewestPlaces = 16

/**
 * Keys to find rows by, as one value. A list shorter than an unknown one looks so cheap to PostgreSQL that it makes a plan
 * for every call of a named statement: for one task 2.5 ms, five times what reading it takes. So a list has empty places,
 * which find nothing.
 */
export const keyList = <Key extends number | string>(keys: readonly Key[]): (Key | null)[] => [
  ...keys,
  ...Array<null>(Math.max(0, fewestPlaces - keys.length)).fill(null),
]

/** `sql` written as a template: values become parameters, nested parts become text. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  let text = strings[0] as string
  const values: unknown[] = []
  parts.forEach((part, index) => {
    if (part instanceof Sql) {
      text += part.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + values.length}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
    text += strings[index + 1]
  })
  return new Sql(text, values)
}

/** A part that is only text. For names from our own code, never for outside input. */
export const raw = (text: string) => new Sql(text, [])

/** An `ilike` pattern that finds a text anywhere; special characters in it are escaped. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
