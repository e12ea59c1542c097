/*
 * Who is next. Organisations take turns, and within one those who ask: a crowd behind one link delays everybody else by
 * one job. Nobody has so many at work that nothing is left for others.
 */

/** Who a job is for. */
export interface Asker {
  organisationId: number
  /** A link, a key, a person. */
  name: string
}

export interface Shares {
  /** How many jobs may wait: in all, of one organisation, of one asker. */
  mostWaiting: number
  mostOfOrganisation: number
  mostOfAsker: number
  /** How many of one organisation may be at work at the same time. */
  mostAtWork: number
}

export type Turns<Job extends { asker: Asker }> = ReturnType<typeof createTurns<Job>>

export function createTurns<Job extends { asker: Asker }>(shares: Shares) {
  /** Those whose turn comes first are first. */
  const waiting = new Map<number, Map<string, Job[]>>()
  const atWork = new Map<number, number>()
  let total = 0

  function takeOut(job: Job) {
    const { organisationId, name } = job.asker
    const askers = waiting.get(organisationId)
    const jobs = askers?.get(name)
    const at = jobs?.indexOf(job) ?? -1
    if (!askers || !jobs || at < 0) return false
    jobs.splice(at, 1)
    total -= 1
    if (jobs.length === 0) askers.delete(name)
    if (askers.size === 0) waiting.delete(organisationId)
    return true
  }

  return {
    /** False if there is no room for it. */
    add(job: Job): boolean {
      const { organisationId, name } = job.asker
      const askers = waiting.get(organisationId) ?? new Map<string, Job[]>()
      const jobs = askers.get(name) ?? []
      const ofOrganisation = askers.values().reduce((sum, { length }) => sum + length, 0)
      if (total >= shares.mostWaiting || ofOrganisation >= shares.mostOfOrganisation) return false
      if (jobs.length >= shares.mostOfAsker) return false
      jobs.push(job)
      waiting.set(organisationId, askers.set(name, jobs))
      total += 1
      return true
    },

    /** Takes out the next one, which is at work until it is `done`. */
    next(): Job | undefined {
      for (const [organisationId, askers] of waiting) {
        const busy = atWork.get(organisationId) ?? 0
        if (busy >= shares.mostAtWork) continue
        const [[name, [job]]] = askers as unknown as [[string, [Job]]]
        takeOut(job)
        moveLast(askers, name)
        moveLast(waiting, organisationId)
        atWork.set(organisationId, busy + 1)
        return job
      }
      return undefined
    },

    done({ asker: { organisationId } }: Job) {
      const busy = (atWork.get(organisationId) ?? 0) - 1
      if (busy > 0) atWork.set(organisationId, busy)
      else atWork.delete(organisationId)
    },

    /** False if it does not wait any more. */
    remove: takeOut,

    /** Takes out all. */
    clear(): Job[] {
      const all = waiting
        .values()
        .flatMap((askers) => askers.values())
        .toArray()
        .flat()
      waiting.clear()
      total = 0
      return all
    },
  }
}

function moveLast<Key, Value>(map: Map<Key, Value>, key: Key) {
  const value = map.get(key)
  if (map.delete(key)) map.set(key, value as Value)
}
