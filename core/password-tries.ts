/*
 * How long one waits after a wrong password (docs/decisions/0040). Nobody is shut out: somebody on a device or in a
 * network they signed in from before is slowed down only by what comes from there, and the first try from any other
 * place is always looked at, whatever strangers do elsewhere.
 */

/** `known`: from a device or a network they signed in from before. */
export type Standing = 'known' | 'stranger'

const minute = 60
const growing = [1, 4, 16, 64, 256, 1_024, 1_440].map((minutes) => minutes * minute)

const freeForKnown = 10
const knownWaitSeconds = 90
const freeForStrangers = 5
/** With this many wrong ones from other places somebody is guessing: then strangers wait from their first wrong one on. */
export const tooManyElsewhere = 50

const free = (tries: number) => Array.from({ length: tries - 1 }, () => 0)

const waits = {
  known: [...free(freeForKnown), knownWaitSeconds],
  calm: [...free(freeForStrangers), ...growing],
  guessed: growing,
}

/** Seconds to wait after the first wrong password from one place, the second and so on; the last holds for all that follow. */
export function waitsAfterWrong(standing: Standing, wrongElsewhere: number): readonly number[] {
  if (standing === 'known') return waits.known
  return wrongElsewhere < tooManyElsewhere ? waits.calm : waits.guessed
}

/** What came from a place is forgotten this long after the last wrong one, and the wait after it. */
export const forgetAfterSeconds = 24 * 60 * minute
