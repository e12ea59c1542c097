import { useFormats } from '../../../api/time.ts'
import { join } from '../../../ui/class-names.ts'
import { inputLook, SelectField, TextField } from '../../../ui/field.tsx'
import { tableLook } from '../../../ui/page.tsx'
import { isFilled, type Sheet } from '../../files/read-file.ts'
import { fieldNames, fieldWords, hasPlace, type Mapping, type Meaning } from './columns.ts'
import type { OpenedFile } from './file-step.tsx'
import { useSay } from './words.ts'

interface Props {
  file: OpenedFile
  sheet: Sheet
  header: number
  mapping: Mapping
  hasOwnAwbs: boolean
  day: string
  onHeader: (header: number) => void
  onMapping: (mapping: Mapping) => void
  onDay: (day: string) => void
}

/** Which row names the columns, what each of them means, and the day of rows that give only a time. */
export function ColumnsStep(props: Props) {
  const { file, sheet, header, mapping, hasOwnAwbs, day, onHeader, onMapping, onDay } = props
  const say = useSay()
  const { timeZone } = useFormats()
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-ink-soft">{say('importRows', { n: sheet.rows.length, file: file.name })}</p>
      <div className="flex flex-wrap items-start gap-4">
        <HeaderField table={file.table} header={header} onChange={onHeader} />
        <TextField
          label={say('importDay')}
          type="date"
          value={day}
          onChange={(event) => event.target.value && onDay(event.target.value)}
        />
      </div>
      {!hasPlace(mapping) && (
        <p role="alert" className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
          {say('columnsNoPlace')} {mapping.includes('awb') && say('columnsOnlyUpdate')}
        </p>
      )}
      <MeaningTable sheet={sheet} mapping={mapping} hasOwnAwbs={hasOwnAwbs} onChange={onMapping} />
      {!hasOwnAwbs && <p className="text-ink-soft">{say('columnsNoAwb')}</p>}
      <p className="text-ink-faint">{say('timesInZone', { zone: timeZone.replaceAll('_', ' ') })}</p>
    </div>
  )
}

interface HeaderProps {
  table: readonly string[][]
  header: number
  onChange: (header: number) => void
}

const headersOffered = 30

/** Where the names of the columns are, if it is not the row we found. */
function HeaderField({ table, header, onChange }: HeaderProps) {
  const say = useSay()
  const rows = [...table.slice(0, headersOffered).entries()].filter(([, cells]) => isFilled(cells))
  const skipped = rows.filter(([index]) => index < header).length
  return (
    <SelectField
      label={say('headerRow')}
      className="min-w-0 max-w-72"
      value={header}
      onChange={(event) => onChange(Number(event.target.value))}
      {...(skipped > 0 && { hint: say('headerSkipped', { n: skipped }) })}
    >
      {rows.map(([index, cells]) => (
        <option key={index} value={index}>
          {index + 1}: {cells.filter(Boolean).join(' · ').slice(0, 60)}
        </option>
      ))}
    </SelectField>
  )
}

interface MeaningProps {
  sheet: Sheet
  mapping: Mapping
  hasOwnAwbs: boolean
  onChange: (mapping: Mapping) => void
}

/** One line per column of the file: its name, examples, and its meaning. */
function MeaningTable({ sheet, mapping, hasOwnAwbs, onChange }: MeaningProps) {
  const say = useSay()
  const offered = hasOwnAwbs ? fieldNames : fieldNames.filter((field) => field !== 'awb')
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
                {offered.map((field) => (
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
