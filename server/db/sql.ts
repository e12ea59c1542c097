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
