import { geocodingProblems } from '../../../core/geocoding-problems.ts'
import type { Say } from '../../words/console.ts'

/** More about an address that was not found, if there is more: what a geocoder said of its failure is in its own words. */
export function whyNotFound(problem: string, say: Say): string {
  if (problem === '' || problem === geocodingProblems.notFound) return ''
  return say(problem === geocodingProblems.noCity ? 'addressNoCity' : 'geocoderFailed')
}
