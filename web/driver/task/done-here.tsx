import { type ReactNode, useState } from 'react'
import { formOf } from '../../../core/form.ts'
import { compareScan } from '../../../core/scan.ts'
import type { FileKind } from '../../../phone/kept.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { answersOf } from '../../tasks/answers.ts'
import { useSay, useSpeech } from '../../words/driver.ts'
import { useDay, useDriverFormats } from '../looks/day.ts'
import { Card } from '../looks/parts.tsx'
import { fileIdOf, Picture } from '../looks/picture.tsx'
import { PhotoView } from './photo-view.tsx'
import { notesOf } from './steps.ts'

/** What the driver did at a stop that has ended, to look at: money, pictures, scans and answers. */
export function DoneHere({ task }: { task: ShownTask }) {
  const say = useSay()
  const { language } = useSpeech()
  const { day, files, ops } = useDay()
  const formats = useDriverFormats()
  const [shown, setShown] = useState<{ fileId: string; title: string }>()
  /** As the server has them, then those it has not received. */
  const picturesOf = (kind: 'photo' | 'signature') => {
    const known = notesOf(task, kind).flatMap(({ image }) => (image ? [fileIdOf(image)] : []))
    const own = files.filter((file) => file.taskId === task.id && file.kind === (kind satisfies FileKind))
    return [...new Set([...known, ...own.map(({ fileId }) => fileId)])]
  }
  /** A picture that answers a question is named by its id alone until it is sent. */
  const unsent = (answer: unknown) => files.find(({ fileId }) => fileId === answer)?.fileId
  const photos = picturesOf('photo')
  const signatures = picturesOf('signature')
  const signedBy = notesOf(task, 'signature').flatMap(({ note }) => note ?? [])
  const scans = notesOf(task, 'scan').flatMap(({ note, id }) => (note ? { id, code: note } : []))
  const answers = answersOf(task, formOf(task, day.forms)?.fields ?? [], language)
  const payments = [...(day.payments ?? []), ...ops.map(({ op }) => op).filter((op) => op.type === 'payment')].filter(
    ({ taskId }) => taskId === task.id,
  )
  const tile = (fileId: string, title: string) => (
    <Picture key={fileId} fileId={fileId} label={title} onOpen={() => setShown({ fileId, title })} />
  )
  const rows: [key: string, label: string, content: ReactNode][] = [
    ...payments.map(({ amount, method }, at): [string, string, ReactNode] => [
      `payment-${at}`,
      say('didPayment'),
      `${formats.money(amount)} · ${say(method === 'card' ? 'card' : 'cash')}`,
    ]),
    ...scans.map(({ id, code }): [string, string, ReactNode] => [
      `scan-${id}`,
      say('didScan'),
      `${code} · ${say(compareScan(task, code).matches ? 'scanFits' : 'scanDiffers')}`,
    ]),
    ...answers.map(({ key, label, answer, image = unsent(answer) }): [string, string, ReactNode] => [
      `answer-${key}`,
      label,
      image
        ? tile(fileIdOf(image), label)
        : typeof answer === 'boolean'
          ? say(answer ? 'yes' : 'no')
          : typeof answer === 'number'
            ? formats.number(answer)
            : answer,
    ]),
  ]
  if (rows.length === 0 && photos.length === 0 && signatures.length === 0) return null
  return (
    <Card aria-labelledby="what-was-done" className="flex flex-col gap-3 p-4">
      <h2 id="what-was-done" className="font-semibold text-large">
        {say('whatWasDone')}
      </h2>
      {rows.length > 0 && (
        <dl className="flex flex-col gap-1.5">
          {rows.map(([key, label, content]) => (
            <div key={key} className="flex flex-wrap justify-between gap-x-3">
              <dt className="text-ink-soft">{label}</dt>
              <dd className="numbers min-w-0 break-words font-semibold">{content}</dd>
            </div>
          ))}
        </dl>
      )}
      {photos.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {photos.map((fileId, at) => tile(fileId, say('photoNumber', { n: at + 1 })))}
        </div>
      )}
      {signatures.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          {signatures.map((fileId) => tile(fileId, say('didSignature')))}
          {signedBy.length > 0 && (
            <span className="min-w-0 break-words">
              {say('signedBy')} {signedBy.join(', ')}
            </span>
          )}
        </div>
      )}
      {shown && <PhotoView isFinal {...shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
}
