import { useQuery } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { mostProofs } from '../../../contract/limits.ts'
import { isEnded } from '../../../core/task-status.ts'
import { api } from '../../api/client.ts'
import type { Task } from '../../api/data.ts'
import { useMay } from '../../api/session.ts'
import { useFormats } from '../../api/time.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useSave } from '../../ui/save.ts'
import { useSpeech } from '../../words/console.ts'
import { LinkReach } from '../day/link-reach.tsx'

interface Props {
  tasks: Task[]
  onClose: () => void
}

/** The proofs of tasks: as a file, and as a link for the sender. */
export default function ProofDialog({ tasks, onClose }: Props) {
  const { say, language } = useSpeech()
  const may = useMay()
  const ended = tasks.filter((task) => isEnded(task) && !task.erasedAt)
  const [only] = tasks
  const isTooMany = tasks.length > mostProofs
  const path =
    tasks.length === 1 && only
      ? `/api/v1/tasks/${only.id}/proof.pdf?language=${language}`
      : `/api/v1/proofs.pdf?taskIds=${tasks.map(({ id }) => id).join(',')}&language=${language}`
  return (
    <Dialog title={say('proof')} lead={say('proofLead')} open onClose={onClose}>
      <div className="grid gap-5">
        {tasks.length > 1 && ended.length > 0 && <p>{say('proofEnded', { n: ended.length })}</p>}
        {isTooMany && <p className="text-bad">{say('proofTooMany', { n: mostProofs })}</p>}
        {ended.length === 0 ? (
          <p>{say('proofNoneEnded')}</p>
        ) : (
          !isTooMany && (
            <a href={path} download className={`${buttonLook('primary')} justify-self-start`}>
              <FileDown aria-hidden />
              {say('proofAsPdf')}
            </a>
          )
        )}
        {may('tasks:write') && !isTooMany && <SenderLink tasks={tasks} />}
        {tasks.length === 1 && only && <LinksOf awb={only.awb} />}
      </div>
    </Dialog>
  )
}

const durations = [7, 30, 90, 365]

function SenderLink({ tasks }: { tasks: Task[] }) {
  const { say } = useSpeech()
  const { dateTime } = useFormats()
  const [days, setDays] = useState(30)
  const make = useSave(() => api.createProofLink({ body: { awbs: tasks.map(({ awb }) => awb), days } }), {
    changes: ['proofLinks'],
  })
  const made = make.data?.proofLink
  return (
    <section className="grid gap-2 border-line border-t pt-4">
      <h3 className="font-semibold">{say('linkForSender')}</h3>
      <p className="text-ink-soft">{say('linkForSenderLead')}</p>
      {made ? (
        <>
          <LinkReach link={made.link} />
          <CopyText text={made.link} label={say('linkForSender')} />
          <p className="text-ink-soft">{say('linkMade', { time: dateTime(made.expiresAt) })}</p>
        </>
      ) : (
        <div className="flex flex-wrap items-end gap-2">
          <SelectField
            label={say('linkWorksFor')}
            value={days}
            onChange={({ target }) => setDays(Number(target.value))}
          >
            {durations.map((one) => (
              <option key={one} value={one}>
                {say('linkDays', { n: one })}
              </option>
            ))}
          </SelectField>
          <Button busy={make.isPending} onClick={() => make.mutate(undefined)}>
            {say('makeLink')}
          </Button>
        </div>
      )}
    </section>
  )
}

function LinksOf({ awb }: { awb: string }) {
  const { say } = useSpeech()
  const may = useMay()
  const { dateTime } = useFormats()
  const { data } = useQuery({
    queryKey: ['proofLinks', awb],
    queryFn: () => api.listProofLinks({ query: { awb, limit: 50 } }),
  })
  const revoke = useSave((linkId: number) => api.revokeProofLink({ params: { linkId } }), {
    changes: ['proofLinks'],
    told: say('linkRevoked'),
  })
  const working = data?.proofLinks.filter(
    ({ revokedAt, expiresAt }) => !revokedAt && Date.parse(expiresAt) > Date.now(),
  )
  if (!working?.length) return null
  return (
    <section className="grid gap-2 border-line border-t pt-4">
      <h3 className="font-semibold">{say('linksOfTask')}</h3>
      <ul className="grid gap-1">
        {working.map(({ id, createdBy, expiresAt }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="min-w-0 grow [overflow-wrap:anywhere]">
              {say('linkMadeBy', { name: createdBy, time: dateTime(expiresAt) })}
            </span>
            {may('tasks:write') && (
              <Button look="quiet" busy={revoke.isPending} onClick={() => revoke.mutate(id)}>
                {say('revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
