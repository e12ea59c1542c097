import { mostLines } from '../../../contract/limits.ts'
import type { Point } from '../../../core/geo.ts'
import type { Transport } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'

/** The way to each of these stops along the streets, from the one before or the start; null where there is none. */
export async function findLines(
  { travel }: Pick<Context, 'travel'>,
  start: Point | null,
  stops: readonly (Point | null)[],
  transport: Transport,
): Promise<(string | null)[]> {
  const placed = [...stops.keys()].filter((index) => stops[index])
  const points = [...(start ? [start] : []), ...placed.map((index) => stops[index] as Point)]
  const legs = await travel.legs({ places: points.slice(0, mostLines + 1), transport })
  const lines: (string | null)[] = stops.map(() => null)
  for (const [index, stop] of placed.entries()) lines[stop] = legs[start ? index : index - 1]?.line ?? null
  return lines
}
