import { Camera, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { canBeDeleted } from '../../../phone/photos.ts'
import { useSay } from '../../words/driver.ts'
import { useDay } from '../looks/day.ts'
import { BigButton } from '../looks/parts.tsx'
import { LargePicture } from '../looks/picture.tsx'
import { Sheet } from '../looks/sheet.tsx'
import { phone } from '../outbox/phone.ts'

interface Props {
  fileId: string
  title: string
  /** Of an ended task: it is only looked at. */
  isFinal?: boolean
  onAgain?: (() => void) | undefined
  onClose: () => void
}

/** A photo as large as the screen. As long as nobody else has it, it can be taken again or deleted. */
export function PhotoView({ fileId, title, isFinal = false, onAgain, onClose }: Props) {
  const say = useSay()
  const file = useDay().files.find((one) => one.fileId === fileId)
  const [asks, setAsks] = useState(false)
  const canDelete = !isFinal && file !== undefined && canBeDeleted(file)
  const remove = async () => {
    if (await phone.deletePhoto(fileId)) onClose()
  }
  return (
    <Sheet title={title} onClose={onClose}>
      <LargePicture fileId={fileId} label={title} />
      {!isFinal && !canDelete && <p className="text-large">{say('photoIsSent')}</p>}
      {canDelete && !asks && (
        <div className="flex gap-2">
          <BigButton look="plain" Icon={Trash2} onClick={() => setAsks(true)}>
            {say('deletePhoto')}
          </BigButton>
          {onAgain && (
            <BigButton look="plain" Icon={Camera} onClick={onAgain}>
              {say('photoAgain')}
            </BigButton>
          )}
        </div>
      )}
      {canDelete && asks && (
        <>
          <p className="font-semibold text-large">{say('deletePhotoAsk')}</p>
          <div className="flex gap-2">
            <BigButton look="plain" onClick={() => setAsks(false)}>
              {say('keepPhoto')}
            </BigButton>
            <BigButton look="danger" Icon={Trash2} onClick={() => void remove()}>
              {say('deletePhoto')}
            </BigButton>
          </div>
        </>
      )}
    </Sheet>
  )
}
