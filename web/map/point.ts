export type Point = [lng: number, lat: number]

/** The smallest rectangle around places, or undefined if there is none. */
export function boundsOf(points: Point[]): [Point, Point] | undefined {
  if (points.length === 0) return undefined
  const [lngs, lats] = [points.map(([lng]) => lng), points.map(([, lat]) => lat)]
  const least = (all: number[]) => all.reduce((one, other) => Math.min(one, other))
  const most = (all: number[]) => all.reduce((one, other) => Math.max(one, other))
  return [
    [least(lngs), least(lats)],
    [most(lngs), most(lats)],
  ]
}
