import type { Line } from './simplify.ts'

/**
 * Joins lines of a tile where one begins at the end of another: fewer lines, names along the whole street, dashes that do not
 * start anew. Lines without a direction are turned around where that helps.
 */
export function joinLines(lines: readonly Line[], isDirected: boolean): Line[] {
  if (lines.length < 2) return [...lines]
  const starting = new Map<number, number[]>()
  const ending = new Map<number, number[]>()
  for (const [index, line] of lines.entries()) {
    note(starting, keyOfStart(line), index)
    note(ending, keyOfEnd(line), index)
  }
  const isUsed = new Uint8Array(lines.length)
  const take = (from: Map<number, number[]>, key: number): Line | undefined => {
    const index = from.get(key)?.find((index) => !isUsed[index])
    if (index === undefined) return undefined
    isUsed[index] = 1
    return lines[index]
  }
  const joined: Line[] = []
  for (const [index, first] of lines.entries()) {
    if (isUsed[index]) continue
    isUsed[index] = 1
    const parts = [first]
    for (let last: Line | undefined = first; last; ) {
      const key = keyOfEnd(last)
      last = take(starting, key) ?? (isDirected ? undefined : reversed(take(ending, key)))
      if (last) parts.push(last)
    }
    const before: Line[] = []
    for (let head: Line | undefined = first; head; ) {
      const key = keyOfStart(head)
      head = take(ending, key) ?? (isDirected ? undefined : reversed(take(starting, key)))
      if (head) before.push(head)
    }
    joined.push(connect([...before.reverse(), ...parts]))
  }
  return joined
}

/** Tiles are narrow enough for one number to name a point, margins included. */
const keyOf = (x: number, y: number) => (x + 32_768) * 131_072 + y + 32_768
const keyOfStart = (line: Line) => keyOf(line[0] as number, line[1] as number)
const keyOfEnd = (line: Line) => keyOf(line.at(-2) as number, line.at(-1) as number)

function note(lines: Map<number, number[]>, key: number, index: number) {
  const known = lines.get(key)
  if (known) known.push(index)
  else lines.set(key, [index])
}

function connect(parts: readonly Line[]): Line {
  if (parts.length === 1) return parts[0] as Line
  const line: Line = [...(parts[0] as Line)]
  for (const part of parts.slice(1)) for (let at = 2; at < part.length; at++) line.push(part[at] as number)
  return line
}

function reversed(line: Line | undefined): Line | undefined {
  if (!line) return undefined
  const turned: Line = []
  for (let at = line.length - 2; at >= 0; at -= 2) turned.push(line[at] as number, line[at + 1] as number)
  return turned
}
