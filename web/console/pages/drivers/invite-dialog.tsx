import { useQuery } from '@tanstack/react-query'
import { encode } from 'uqr'
import { api } from '../../../api/client.ts'
import type { Driver } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { CopyText } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState, LoadingState } from '../../../ui/state.tsx'
import { LinkReach } from '../../day/link-reach.tsx'
import { useSay } from '../record-words.ts'

/** A one-time code for a driver's phone, made when the dialog opens. */
export function InviteDialog({ driver, onClose }: { driver: Driver; onClose: () => void }) {
  const say = useSay()
  const { time } = useFormats()
  const invitation = useQuery({
    queryKey: ['invitation', driver.id],
    queryFn: () => api.inviteDriver({ params: { driverId: driver.id } }),
    // A new code makes the old one invalid, so none is made without being asked for.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const lead = invitation.data && say('inviteLead', { phone: driver.phone, time: time(invitation.data.expiresAt) })
  return (
    <Dialog title={say('inviteTitle', { name: driver.name })} lead={lead} open onClose={onClose}>
      {invitation.isPending && <LoadingState rows={4} />}
      {invitation.isError && <ErrorState error={invitation.error} onRetry={() => void invitation.refetch()} />}
      {invitation.data && (
        <div className="grid justify-items-center gap-4">
          <LinkReach link={invitation.data.link} />
          <QrCode text={invitation.data.link} label={say('qrCode')} />
          <p className="font-semibold text-2xl tracking-[0.3em]">{invitation.data.code}</p>
          <div className="w-full">
            <CopyText text={invitation.data.link} label={say('inviteLink')} />
          </div>
        </div>
      )}
    </Dialog>
  )
}

/** Dark squares on white in both themes, because some phones read no others. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="size-56 rounded-lg bg-white">
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
