/*
 * After a rush Node keeps what it took: it cleans its heap when it needs room, and V8's own cleaning of a quiet process
 * waits until almost nothing is allocated, which a server with clients never reaches. 1,800 closed streams left 330 MB for
 * more than a minute. So we ask for it, once it is quiet: 0.16 s, and 190 MB. Attack after attack without a quiet moment
 * left 420 MB, most of it garbage: a process that is large is cleaned while it is busy, too, but not often. 400 clients that do
 * not read their answers made 120 MB of garbage within five seconds: one that is very large is cleaned at once, unless that has
 * just not helped.
 */

const lookEveryMs = 1_000
/** The share of the time that the process works, up to which a pause is noticed by few. */
const quietShare = 0.3
/** How much larger than after the last cleaning is worth the next. Clients of a normal day do not get there. */
const worthwhileMegabytes = 80
/** What a server with a normal day needs. */
const usualMegabytes = 160
/** What is worth a pause for everybody who waits, and how often: in ten seconds readers of full tasks added 150 MB. */
const largeMegabytes = 300
const largeEveryMs = 5_000
const veryLargeMegabytes = 340

const residentMegabytes = () => process.memoryUsage.rss() / 2 ** 20

/** Gives memory that is not needed back to the system when there is little to do. Needs Node's `--expose-gc`. */
export function giveSpareMemoryBack() {
  const clean = globalThis.gc
  if (!clean) return
  let smallest = usualMegabytes
  let cleanedAt = 0
  let before = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    const resident = residentMegabytes()
    const isRested = performance.now() > cleanedAt + largeEveryMs
    const isUrgent = resident > veryLargeMegabytes && smallest < largeMegabytes
    const isWorthIt =
      utilization > quietShare
        ? resident > largeMegabytes && (isRested || isUrgent)
        : resident > smallest + worthwhileMegabytes
    if (!isWorthIt) return
    // "Last resort" is V8's word for cleaning that also returns what it empties.
    clean({ type: 'major', flavor: 'last-resort' })
    smallest = Math.max(usualMegabytes, residentMegabytes())
    cleanedAt = performance.now()
  }, lookEveryMs).unref()
}
