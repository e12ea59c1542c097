import { Printer } from 'lucide-react'
import { useState } from 'react'
import { type LabelFormat, labelFormats } from '../../../contract/label.ts'
import { mostLabels } from '../../../contract/limits.ts'
import { api } from '../../api/client.ts'
import type { Task } from '../../api/data.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useSave } from '../../ui/save.ts'
import { useLaterSay } from '../../words/later.ts'
import { saveFile } from '../files/save.ts'

interface Props {
  tasks: Task[]
  onClose: () => void
}

const key = 'waybill.labels'

/** What this person's printer takes, on this computer. */
function formatUsedLast(): LabelFormat {
  try {
    const last = localStorage.getItem(key)
    return labelFormats.find((one) => one === last) ?? 'pdf-a6'
  } catch {
    return 'pdf-a6'
  }
}

/** If the browser cannot store it, it is chosen again next time. */
function remember(format: LabelFormat) {
  try {
    localStorage.setItem(key, format)
  } catch {}
}

/** The labels of tasks, as a file for the printer. */
export default function LabelsDialog({ tasks, onClose }: Props) {
  const say = useLaterSay('labels')
  const [format, setFormat] = useState(formatUsedLast)
  const isTooMany = tasks.length > mostLabels
  const save = useSave(
    async () => {
      const file = await api.printLabels({ body: { awbs: tasks.map(({ awb }) => awb), format } })
      saveFile(`${say('labelsFile')}.${format === 'zpl' ? 'zpl' : 'pdf'}`, file)
    },
    {
      changes: [],
      onDone: () => {
        remember(format)
        onClose()
      },
    },
  )
  return (
    <Dialog title={say('labels')} lead={say('labelsLead')} open onClose={onClose}>
      <div className="grid gap-4">
        <SelectField
          label={say('labelFormat')}
          hint={say(`${format}-hint`)}
          value={format}
          onChange={({ target }) => setFormat(target.value as LabelFormat)}
        >
          {labelFormats.map((one) => (
            <option key={one} value={one}>
              {say(one)}
            </option>
          ))}
        </SelectField>
        {isTooMany && <p className="text-bad">{say('tooManyLabels', { n: mostLabels })}</p>}
        <Button
          look="primary"
          className="justify-self-start"
          disabled={isTooMany}
          busy={save.isPending}
          onClick={() => save.mutate(undefined)}
        >
          <Printer aria-hidden />
          {say('saveLabels', { n: tasks.length })}
        </Button>
      </div>
    </Dialog>
  )
}
