import { useQuery } from '@tanstack/react-query'
import { FileDown, Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { ErasureInput } from '../../../../contract/erasure.ts'
import { longest, mostItems } from '../../../../contract/limits.ts'
import { api, WaybillError } from '../../../api/client.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'
import { type Erased, Preview, type Way, ways } from './preview.tsx'
import { ReceiptLine } from './receipts.tsx'

interface Asked {
  by: Way
  value: string
}

const inputOf = ({ by, value }: Asked): ErasureInput => ({ [by]: by === 'driverId' ? Number(value) : value.trim() })

/** Finds a customer, a task or a driver who left, shows what will be erased, and erases it when it was asked twice. */
export function EraseCard() {
  const say = useSay()
  const [asked, setAsked] = useState<Asked>({ by: 'phone', value: '' })
  const [isSure, setSure] = useState(false)
  const [done, setDone] = useState<Erased>()
  const preview = useSave((input: Asked) => api.createErasure({ body: { ...inputOf(input), dryRun: true } }), {
    changes: [],
    inForm: true,
  })
  const { error } = preview
  const isNoTask = error instanceof WaybillError && error.code === 'TASK_NOT_FOUND'
  const wrong = isNoTask ? say('eraseNoTask') : fieldProblem(error, asked.by, say)
  const change = (next: Asked) => {
    setAsked(next)
    setDone(undefined)
    preview.reset()
  }
  return (
    <Card title={say('eraseTitle')}>
      <div className="grid gap-4 p-4">
        <form
          className="flex flex-wrap items-start gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setDone(undefined)
            preview.mutate(asked)
          }}
        >
          <SelectField
            label={say('eraseBy')}
            className="w-56"
            value={asked.by}
            onChange={({ target }) => change({ by: target.value as Way, value: '' })}
          >
            {ways.map((way) => (
              <option key={way} value={way}>
                {say(`eraseBy_${way}`)}
              </option>
            ))}
          </SelectField>
          <ValueField key={asked.by} asked={asked} error={wrong} onChange={change} />
          {/* As low as the fields, which have a label above. */}
          <div className="flex flex-wrap gap-2 pt-6">
            <Button type="submit" look="primary" busy={preview.isPending}>
              <Search aria-hidden />
              {say('erasePreview')}
            </Button>
            <DownloadButton asked={asked} />
          </div>
        </form>
        {error && (
          <p role="alert" className="text-bad empty:hidden">
            {otherProblem(error, [asked.by], say)}
          </p>
        )}
        {preview.data && !done && <Preview by={asked.by} found={preview.data} onErase={() => setSure(true)} />}
        {done && <Done erased={done} />}
      </div>
      {isSure && (
        <ConfirmWrite
          title={say('eraseSure')}
          action={say('eraseForGood')}
          write={() => api.createErasure({ body: inputOf(asked) })}
          changes={['erasures']}
          inForm
          onDone={(erased) => {
            setSure(false)
            setDone(erased)
          }}
          onClose={() => setSure(false)}
        >
          {say('eraseSureLead')}
        </ConfirmWrite>
      )}
    </Card>
  )
}

interface ValueProps {
  asked: Asked
  error: string | undefined
  onChange: (asked: Asked) => void
}

const types = { phone: 'tel', email: 'email', awb: 'text' } as const

function ValueField({ asked: { by, value }, error, onChange }: ValueProps) {
  const say = useSay()
  const list = useId()
  const shared = {
    className: 'w-72',
    value,
    required: true,
    error,
    autoComplete: 'off',
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ by, value: target.value }),
  }
  if (by !== 'driverId') return <TextField {...shared} label={say(by)} type={types[by]} maxLength={longest[by]} />
  return (
    <>
      <TextField
        {...shared}
        label={say('driverNumber')}
        hint={say('driverNumberHint')}
        inputMode="numeric"
        pattern="\d{1,9}"
        list={list}
      />
      <DeletedDrivers id={list} />
    </>
  )
}

/** The audit log knows who was deleted, and by which name. */
function DeletedDrivers({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['audit', 'deletedDrivers'],
    queryFn: () => api.listAudit({ query: { kind: 'driver.deleted', limit: mostItems } }),
  })
  const drivers = new Map(data?.entries.map(({ subject }) => [subject.id, subject.name]))
  return (
    <datalist id={id}>
      {[...drivers].map(
        ([driverId, name]) => driverId && <option key={driverId} value={driverId} label={name ?? ''} />,
      )}
    </datalist>
  )
}

/** A link, so that the browser writes the file as it comes: it may be large. */
function DownloadButton({ asked: { by, value } }: { asked: Asked }) {
  const say = useSay()
  if (by !== 'phone' && by !== 'email') return null
  const content = (
    <>
      <FileDown aria-hidden />
      {say('downloadKept')}
    </>
  )
  const about = { title: say('downloadKeptHint') }
  if (!value.trim())
    return (
      <Button disabled {...about}>
        {content}
      </Button>
    )
  return (
    <a
      {...about}
      href={`/api/v1/personalData?${new URLSearchParams({ [by]: value.trim() })}`}
      download
      className={buttonLook()}
    >
      {content}
    </a>
  )
}

function Done({ erased: { erasures } }: { erased: Erased }) {
  const say = useSay()
  if (erasures.length === 0) return <p role="status">{say('eraseDoneNothing')}</p>
  return (
    <div role="status" className="grid gap-2">
      <h3 className="font-semibold">{say('eraseDone')}</h3>
      <p className="text-ink-soft">
        {say(erasures.every(({ finishedAt }) => finishedAt) ? 'eraseDoneLead' : 'eraseGoesOn')}
      </p>
      <ul className="grid gap-1.5">
        {erasures.map((erasure) => (
          <ReceiptLine key={erasure.id} erasure={erasure} />
        ))}
      </ul>
    </div>
  )
}
