import { join } from '../../../ui/class-names.ts'
import { inputLook } from '../../../ui/field.tsx'
import { tableLook } from '../../../ui/page.tsx'
import type { Sheet } from '../../files/read-file.ts'
import { fieldNames, fieldWords, type Mapping, type Meaning } from './columns.ts'
import { useSay } from './words.ts'

interface Props {
  sheet: Sheet
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

/** One line per column of the file: its name, examples, and its meaning. */
export function ColumnsStep({ sheet, mapping, onChange }: Props) {
  const say = useSay()
  const choose = (column: number, meaning: Meaning) =>
    // A meaning belongs to one column; choosing it again clears the other.
    onChange(mapping.map((one, at) => (at === column ? meaning : one === meaning && meaning !== 'custom' ? '' : one)))
  const name = (column: number) => sheet.headers[column] || say('columnUnnamed', { n: String(column + 1) })
  return (
    // On a phone, one column below the other.
    <table className={join(tableLook.table, 'max-sm:block')}>
      <thead className="max-sm:sr-only">
        <tr>
          <th className={tableLook.head}>{say('column')}</th>
          <th className={tableLook.head}>{say('columnExamples')}</th>
          <th className={join(tableLook.head, 'w-56')}>{say('columnMeaning')}</th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {mapping.map((meaning, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file stay where they are
          <tr key={column} className={join(tableLook.row, 'max-sm:grid max-sm:py-2')}>
            <th scope="row" className={join(tableLook.cell, 'text-left font-medium max-sm:py-0')}>
              {name(column)}
            </th>
            <td className={join(tableLook.cell, 'max-w-72 truncate text-ink-soft max-sm:py-0')}>
              {examplesOf(sheet, column)}
            </td>
            <td className="px-4 py-1">
              <select
                aria-label={say('meaningOf', { column: name(column) })}
                className={join(inputLook, meaning === '' && 'text-ink-faint')}
                value={meaning}
                onChange={(event) => choose(column, event.target.value as Meaning)}
              >
                <option value="">{say('meaningNone')}</option>
                <option value="custom">{say('meaningCustom')}</option>
                {fieldNames.map((field) => (
                  <option key={field} value={field}>
                    {say(fieldWords[field])}
                  </option>
                ))}
              </select>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The first few different values of a column. */
function examplesOf({ rows }: Sheet, column: number): string {
  const seen = new Set<string>()
  for (const { cells } of rows.slice(0, 50)) {
    if (cells[column]) seen.add(cells[column])
    if (seen.size === 3) break
  }
  return [...seen].join(' · ')
}
