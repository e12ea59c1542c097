/** Points one after the other: x and y. */
export type Line = number[]

/** The line without the points that lie within the tolerance of the line without them (Douglas-Peucker). */
export function simplify(line: Line, tolerance: number): Line {
  const count = line.length / 2
  if (count < 3) return line
  const kept = new Uint8Array(count)
  kept[0] = 1
  kept[count - 1] = 1
  const open = [0, count - 1]
  while (open.length > 0) {
    const last = open.pop() as number
    const first = open.pop() as number
    let farthest = tolerance * tolerance
    let at = 0
    for (let index = first + 1; index < last; index++) {
      const distance = distanceSquared(line, index, first, last)
      if (distance > farthest) {
        farthest = distance
        at = index
      }
    }
    if (at === 0) continue
    kept[at] = 1
    open.push(first, at, at, last)
  }
  return line.filter((_, index) => kept[index >> 1])
}

/** From a point of a line to the stretch between two others, all by their numbers in it. */
export function distanceSquared(line: Line, index: number, first: number, last: number): number {
  const x = line[2 * first] as number
  const y = line[2 * first + 1] as number
  const alongX = (line[2 * last] as number) - x
  const alongY = (line[2 * last + 1] as number) - y
  let awayX = (line[2 * index] as number) - x
  let awayY = (line[2 * index + 1] as number) - y
  const length = alongX * alongX + alongY * alongY
  if (length > 0) {
    const share = Math.min(1, Math.max(0, (awayX * alongX + awayY * alongY) / length))
    awayX -= alongX * share
    awayY -= alongY * share
  }
  return awayX * awayX + awayY * awayY
}
