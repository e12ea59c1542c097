import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { inputLook } from '../../../ui/field.tsx'
import type { Row } from '../../files/read-file.ts'
import { columnsToFix, type Problem, problemSentence } from './check.ts'
import { fieldWords, type Mapping } from './columns.ts'
import { useSay } from './words.ts'

interface Props {
  at: number
  row: Row
  problems: readonly Problem[]
  /** Whether cells are shown without being asked for. */
  isOpen: boolean
  headers: readonly string[]
  mapping: Mapping
  onEdit: (at: number, column: number, cell: string) => void
  /** To the next row to fix, or the one before. */
  onGo: (at: number, step: 1 | -1) => void
  takeFocus: (number: number) => boolean
}

/** The cells of a row that are wrong, or all of them, to be edited. They stay while one is being edited. */
export function EditRow({ at, row, problems, isOpen, headers, mapping, onEdit, onGo, takeFocus }: Props) {
  const say = useSay()
  const id = useId()
  const [showsAll, setShowsAll] = useState(false)
  const [fixed, setFixed] = useState<readonly number[]>([])
  const box = useRef<HTMLDivElement>(null)
  const wrong = problems.length > 0 ? columnsToFix(problems, mapping) : []
  const all = mapping.flatMap((meaning, column) => (meaning === '' ? [] : [column]))
  const columns = showsAll ? all : [...new Set([...wrong, ...fixed])].sort((one, other) => one - other)
  useEffect(() => {
    if (takeFocus(row.number)) box.current?.querySelector('input')?.focus()
  }, [row.number, takeFocus])
  const nameOf = (column: number) => {
    const meaning = mapping[column]
    return (
      headers[column] ||
      (meaning && meaning !== 'custom' ? say(fieldWords[meaning]) : say('columnUnnamed', { n: column + 1 }))
    )
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onGo(at, event.shiftKey ? -1 : 1)
  }
  const edit = (column: number, cell: string) => {
    // The cell stays when it is right, or the next key would have no place to go.
    if (!fixed.includes(column)) setFixed([...fixed, column])
    onEdit(at, column, cell)
  }
  const sentences = problems.map((problem) => problemSentence(problem, say))
  if (!isOpen && !showsAll)
    return (
      <Button
        look="quiet"
        className="ml-13 h-6 justify-self-start px-1 text-xs"
        aria-label={say('editRowOf', { row: row.number })}
        onClick={() => setShowsAll(true)}
      >
        {say('editRow')}
      </Button>
    )
  return (
    <div ref={box} className="grid grid-cols-1 gap-1.5 sm:pl-13">
      {sentences.length > 0 && (
        <p id={`${id}-problems`} className="text-bad">
          {sentences.join('; ')}
        </p>
      )}
      {columns.length > 0 && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,13rem),1fr))] gap-2">
          {columns.map((column) => (
            <label key={column} className="grid gap-0.5">
              <span className="text-ink-soft text-xs">{nameOf(column)}</span>
              <input
                className={join(inputLook, 'min-w-0')}
                value={row.cells[column] ?? ''}
                aria-invalid={wrong.includes(column) || undefined}
                aria-describedby={wrong.includes(column) ? `${id}-problems` : undefined}
                onChange={(event) => edit(column, event.target.value)}
                onKeyDown={press}
              />
            </label>
          ))}
        </div>
      )}
      {all.length > columns.length || showsAll ? (
        <Button
          look="quiet"
          className="h-6 justify-self-start px-1 text-xs"
          aria-label={showsAll ? undefined : say('editRowOf', { row: row.number })}
          onClick={() => setShowsAll(!showsAll)}
        >
          {say(showsAll ? 'editLess' : 'editRow')}
        </Button>
      ) : null}
    </div>
  )
}
