import { randomUUID } from 'node:crypto'
import type { OpInput, OpResult, PhoneChanges } from '../../contract/sync.ts'
import type { Client } from '../../sdk/client.ts'

/** How what has waited is sent: at once, in two parts, or twice, because the first answer got lost. */
export type Sending = 'once' | 'split' | 'twice'

type Deed = Omit<OpInput, 'opId' | 'occurredAt'>
type Changes = Pick<PhoneChanges, 'tasks' | 'forms'>

const mostAtOnce = 100

export type Phone = ReturnType<typeof openPhone>

/** A driver's phone: what the driver does waits in it until there is a network, and is sent in the order it was done. */
export function openPhone(client: Client) {
  let waiting: OpInput[] = []
  let pictures: { fileId: string; bytes: Uint8Array<ArrayBuffer> }[] = []
  let cursor: string | undefined
  let forms: PhoneChanges['forms'] = []

  async function send(ops: OpInput[]) {
    const deviceTime = new Date().toISOString()
    const device = { name: 'Demo', pending: waiting.length }
    return client.syncDriver({ body: { deviceTime, device, ops, ...(cursor && { cursor }) } })
  }

  return {
    isOnline: true,
    /** The forms of the organisation, as it last said. */
    forms: () => forms,

    note(deed: Deed) {
      waiting.push({ opId: randomUUID(), occurredAt: new Date().toISOString(), ...deed })
    },

    /** Keeps a picture until it can be sent; returns its name. */
    keep(bytes: Uint8Array<ArrayBuffer>): string {
      const fileId = randomUUID()
      pictures.push({ fileId, bytes })
      return fileId
    },

    /** Sends everything that waits and passes on what has changed. Returns what became of each op. */
    async sync(onChanges: (changes: Changes) => void, sending: Sending = 'once'): Promise<OpResult[]> {
      const results: OpResult[] = []
      const size = sending === 'split' ? Math.ceil(waiting.length / 2) : mostAtOnce
      do {
        const part = waiting.slice(0, Math.min(size, mostAtOnce))
        if (sending === 'twice') await send(part)
        const answer = await send(part)
        cursor = answer.cursor
        forms = answer.changes.forms
        results.push(...answer.results)
        waiting = waiting.slice(part.length)
        onChanges(answer.changes)
      } while (waiting.length > 0)
      return results
    },

    async sendPictures() {
      while (pictures.length > 0) {
        const [{ fileId, bytes }] = pictures as [(typeof pictures)[number]]
        await client.uploadFile({ params: { fileId }, bytes })
        pictures = pictures.slice(1)
      }
    },
  }
}
