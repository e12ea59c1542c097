import { createHash, randomBytes } from 'node:crypto'
import { Refusal, unknownInBody } from '../../contract/errors.ts'
import type { NewProofLink, ProofLink, ProofLinkInput } from '../../contract/proof.ts'
import { type Actor, type Context, contextOf, type Service } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import { findLinked, findTaskIdsByAwb, insertLink, insertLinkTasks, type LinkView, markLinkRevoked } from './queries.ts'
import { readProofs } from './read.ts'

/* Links by which senders see proofs without an account. */

const usualDays = 30

/** The secret is random, so a plain hash is enough. Only the hash is stored. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

export async function createLink(
  { db, actor }: Context,
  organisation: Organisation,
  { awbs, days = usualDays }: ProofLinkInput,
  ownUrl: string,
): Promise<NewProofLink> {
  const wanted = [...new Set(awbs)]
  const found = new Map((await findTaskIdsByAwb(db, organisation.id, wanted)).map(({ id, awb }) => [awb, id]))
  const unknown = wanted.find((awb) => !found.has(awb))
  if (unknown !== undefined) throw unknownInBody('TASK_NOT_FOUND', 'awbs', `There is no task ${unknown}`)
  const secret = randomBytes(16).toString('base64url')
  const row = await db.transaction(async (db) => {
    const link = await insertLink(db, organisation.id, hashOf(secret), actor.name, days)
    const tasks = wanted.map((awb, place) => ({ link_id: link.id, task_id: found.get(awb) as number, place }))
    await insertLinkTasks(db, organisation.id, tasks)
    return { ...link, awbs: wanted }
  })
  return { ...presentLink(row), link: `${ownUrl}/p/${secret}` }
}

export const presentLink = ({ id, awbs, created_by, created_at, expires_at, revoked_at }: LinkView): ProofLink => ({
  id,
  awbs,
  createdBy: created_by,
  createdAt: created_at.toISOString(),
  expiresAt: expires_at.toISOString(),
  revokedAt: revoked_at?.toISOString() ?? null,
})

export async function revokeLink({ db }: Context, organisation: Organisation, linkId: number) {
  if ((await markLinkRevoked(db, organisation.id, linkId)) === 0) throw new Refusal('PROOF_LINK_NOT_FOUND')
}

/** Someone with the link; we do not know who. */
const sender: Actor = { type: 'SYSTEM', id: null, name: 'Sender' }

/** What a link shows. One that was never made, one that has expired and one that was revoked look the same. */
export async function openLink(service: Service, secret: string) {
  const found = await findLinked(service.database.everyone, hashOf(secret))
  if (!found) throw new Refusal('PROOF_LINK_NOT_FOUND')
  const { organisation, task_ids, expires_at } = found
  const context = contextOf(service, organisation.id, sender)
  return { context, organisation, expiresAt: expires_at, sources: await readProofs(context.db, organisation, task_ids) }
}
