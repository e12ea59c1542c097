import type { LearnedSpeeds } from '../../../contract/speed.ts'
import { enough } from '../../../core/learned-speed.ts'
import type { Db } from '../../db/db.ts'
import { findLesson, listLearnedHours } from './queries.ts'

/** What was learned of how fast the drivers are, and how much it stands on. */
export async function seeSpeeds(db: Db, organisationId: number): Promise<LearnedSpeeds> {
  const lesson = await findLesson(db, organisationId)
  const learned = Map.groupBy(await listLearnedHours(db, organisationId), (row) => row.transportation_id)
  return {
    learnedAt: lesson?.learned_at?.toISOString() ?? null,
    needs: enough,
    vehicles: (lesson?.seen ?? [])
      .toSorted((one, other) => one.transportationId - other.transportationId)
      .map((seen) => ({
        ...seen,
        hours: (learned.get(seen.transportationId) ?? []).map(({ hour, factor, count }) => ({ hour, factor, count })),
      })),
  }
}
