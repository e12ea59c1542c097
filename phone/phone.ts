import { createEnds } from './held.ts'
import { createKeeping } from './keep.ts'
import { createPhotos } from './photos.ts'
import { createPlace } from './place.ts'
import type { Ports } from './ports.ts'
import { createPositions } from './positions.ts'
import { createSending } from './send.ts'
import { createSignIn } from './session.ts'
import { createScreen } from './state.ts'
import { createTrouble } from './trouble.ts'
import { createWay } from './way.ts'

export type Phone = ReturnType<typeof openPhone>

/**
 * A driver's phone: what they do is kept first, shown at once, and sent in its order when there is a network; what the
 * server says comes back. The app, the phones of the demo and those of the tests are this one, each with its own ports.
 */
export function openPhone(ports: Ports) {
  const { store, clock } = ports
  const trouble = createTrouble(store.isFull)
  const { orTell } = trouble
  const place = createPlace(clock)
  const photos = createPhotos(ports, orTell)
  const ends = createEnds(ports, photos, orTell)
  const positions = createPositions(ports)
  const sending = createSending(ports, { ends, photos, positions })
  return {
    ...createKeeping(ports, { orTell, place, sending }),
    ...createSignIn(ports, orTell),
    ...sending,
    trouble,
    place,
    screen: createScreen(ports, sending.reachesServer),

    undoEnd: ends.undo,
    releaseEnds: ends.releaseAll,

    holdPhoto: photos.hold,
    letPhotosGo: photos.letGo,
    deletePhoto: photos.delete,
    findPicture: (fileId: string) => store.read(({ pictures }) => pictures.get(fileId)),

    ...createWay(ports),

    keepPosition: positions.keep,
    reportPositions: positions.report,
  }
}
