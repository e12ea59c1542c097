import { FileSpreadsheet } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { dayOf } from '../../../../core/task-day.ts'
import { useFormats } from '../../../api/time.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { readTable, type Unreadable } from '../../files/read-file.ts'
import { saveCsv } from '../../files/save.ts'
import type { Unfinished } from './kept.ts'
import { makeTemplate } from './template.ts'
import { useSay } from './words.ts'

export interface OpenedFile {
  name: string
  table: string[][]
}

interface Props {
  unfinished: readonly Unfinished[]
  /** Whether one can be continued: its rows are checked against drivers, teams and forms. */
  isReady: boolean
  hasOwnAwbs: boolean
  onRead: (file: OpenedFile) => void
  onGoOn: (id: string) => void
  onDiscard: (id: string) => void
}

/** Chooses or drops a file, and reads it; or goes on with an import that was not finished. */
export function FileStep({ unfinished, isReady, hasOwnAwbs, onRead, onGoOn, onDiscard }: Props) {
  const say = useSay()
  const { timeZone, dateTime } = useFormats()
  const id = useId()
  const [state, setState] = useState<Unreadable | 'reading' | 'over'>()
  const read = async (file: File | undefined) => {
    if (!file) return
    setState('reading')
    const table = await readTable(new Uint8Array(await file.arrayBuffer()))
    if (typeof table === 'string') setState(table)
    else onRead({ name: file.name, table })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void read(event.dataTransfer.files[0])
  }
  const isBad = state !== undefined && state !== 'reading' && state !== 'over'
  return (
    <div className="grid gap-4">
      {unfinished.length > 0 && (
        <section aria-label={say('unfinished')} className="grid gap-2">
          <h3 className="font-semibold">{say('unfinished')}</h3>
          <ul className="grid gap-2">
            {unfinished.map(({ id, fileName, phase, rowCount, sent, toSend, savedAt }) => (
              <li
                key={id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line px-3 py-2"
              >
                <div className="min-w-0 grow">
                  <p className="truncate font-medium">{fileName}</p>
                  <p className="text-ink-soft">
                    {phase === 'sending'
                      ? say('unfinishedSending', { done: sent, n: toSend })
                      : say('unfinishedFixing', { n: rowCount })}
                    {', '}
                    {dateTime(savedAt)}
                  </p>
                </div>
                <Button
                  look="primary"
                  disabled={!isReady}
                  aria-label={say('importGoOnOf', { file: fileName })}
                  onClick={() => onGoOn(id)}
                >
                  {say('importGoOn')}
                </Button>
                <Button aria-label={say('importDiscardOf', { file: fileName })} onClick={() => onDiscard(id)}>
                  {say('importDiscard')}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same as dropping a file */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setState('over')
        }}
        onDragLeave={() => setState(undefined)}
        onDrop={drop}
        className={join(
          'grid justify-items-center gap-2 rounded-xl border-2 border-dashed px-6 py-12 text-center',
          state === 'over' ? 'border-accent bg-chosen' : 'border-line-strong',
        )}
      >
        <FileSpreadsheet aria-hidden className="size-8 text-ink-faint" />
        <p className="font-semibold text-base">{say(state === 'reading' ? 'importReading' : 'importDrop')}</p>
        <p className="max-w-md text-ink-soft">{say('importKinds')}</p>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          className="peer sr-only"
          onChange={(event) => void read(event.target.files?.[0])}
        />
        <label
          htmlFor={id}
          className={join(
            buttonLook('primary'),
            'peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:outline-offset-2',
          )}
        >
          {say('importFile')}
        </label>
      </div>
      {isBad && (
        <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
          {say(state)}
        </p>
      )}
      <Button
        look="quiet"
        className="justify-self-start"
        onClick={() => saveCsv('waybill-template', makeTemplate(say, dayOf(Date.now(), timeZone), hasOwnAwbs))}
      >
        {say('importTemplate')}
      </Button>
    </div>
  )
}
