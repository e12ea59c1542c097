/** One place up or down, never before pinned stops. */
export function moveBy(ids: readonly number[], id: number, by: 1 | -1, pinned = 0): number[] {
  const at = ids.indexOf(id)
  const to = at + by
  if (at < pinned || to < pinned || to >= ids.length) return [...ids]
  return ids.with(at, ids[to] as number).with(to, id)
}

/** Directly before or after another one. */
export function moveBeside(
  ids: readonly number[],
  id: number,
  beside: number,
  side: 'before' | 'after',
  pinned = 0,
): number[] {
  const rest = ids.filter((one) => one !== id)
  const at = Math.max(pinned, rest.indexOf(beside) + (side === 'after' ? 1 : 0))
  return rest.toSpliced(at, 0, id)
}

/** Several ids, in their order, at position `at` among the others. */
export function insertAt(ids: readonly number[], moving: readonly number[], at: number): number[] {
  const rest = ids.filter((id) => !moving.includes(id))
  return rest.toSpliced(at, 0, ...moving)
}
