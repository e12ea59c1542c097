import { FileSpreadsheet } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { dayOf } from '../../../../core/task-day.ts'
import { useFormats } from '../../../api/time.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { readSheet, type Sheet, type Unreadable } from '../../files/read-file.ts'
import { saveCsv } from '../../files/save.ts'
import { makeTemplate } from './template.ts'

export interface OpenedFile {
  name: string
  sheet: Sheet
}

/** Chooses or drops a file, and reads it. */
export function FileStep({ onRead }: { onRead: (file: OpenedFile) => void }) {
  const say = useSay()
  const { timeZone } = useFormats()
  const id = useId()
  const [state, setState] = useState<Unreadable | 'reading' | 'over'>()
  const read = async (file: File | undefined) => {
    if (!file) return
    setState('reading')
    const sheet = await readSheet(new Uint8Array(await file.arrayBuffer()))
    if (typeof sheet === 'string') setState(sheet)
    else onRead({ name: file.name, sheet })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void read(event.dataTransfer.files[0])
  }
  const isBad = state !== undefined && state !== 'reading' && state !== 'over'
  return (
    <div className="grid gap-4">
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
        onClick={() => saveCsv('waybill-template', makeTemplate(say, dayOf(Date.now(), timeZone)))}
      >
        {say('importTemplate')}
      </Button>
    </div>
  )
}
