import type pg from 'pg'
import { readNumber } from '../numbers.ts'
import { metresBetween } from './geometry.ts'
import { openWriter, readRows } from './stage.ts'

/* Rows of houses of which only the ends are mapped (`addr:interpolation`): the others are put at equal steps between them. */

const mostBetween = 100

interface RowPoint {
  id: number
  lat: number
  lng: number
  parity: string
  street: string | null
  number: string | null
  house_street: string | null
  postal_code: string | null
}

export async function spreadRows(client: pg.Client) {
  const guesses = openWriter(client, 'found_houses', 'osm, street, place, city, number, postal_code, lat, lng')
  let line: RowPoint[] = []
  const spread = async () => {
    for (const house of housesOn(line))
      await guesses.add('~', house.street, null, null, String(house.number), house.postalCode, house.lat, house.lng)
    line = []
  }
  const points = readRows<RowPoint>(
    client,
    `select r.id::float8 as id, r.lat, r.lng, r.parity, r.street, h.number, h.street as house_street, h.postal_code
     from found_rows r left join found_houses h on h.osm = 'n' || r.node_id
     order by r.id, r.position`,
  )
  for await (const point of points) {
    if (line[0] && line[0].id !== point.id) await spread()
    line.push(point)
  }
  await spread()
  await guesses.flush()
  return guesses.count()
}

/** Between every two neighbours that have a number. */
function* housesOn(line: readonly RowPoint[]) {
  let from: number | undefined
  for (const [at, { number }] of line.entries()) {
    if (number === null) continue
    if (from !== undefined) yield* housesBetween(line.slice(from, at + 1))
    from = at
  }
}

function* housesBetween(line: readonly RowPoint[]) {
  const [first, last] = [line[0]!, line.at(-1)!]
  const [from, to] = [readNumber(first.number ?? ''), readNumber(last.number ?? '')]
  if (!from || !to) return
  const size = first.parity === 'all' ? 1 : /^\d+$/.test(first.parity) ? Number(first.parity) : 2
  const step = to.number > from.number ? size : -size
  const count = Math.ceil(Math.abs(to.number - from.number) / size) - 1
  if (count < 1 || count > mostBetween || size < 1) return
  const street = first.street ?? first.house_street ?? last.house_street
  const { at } = alongOf(line)
  for (let index = 1; index <= count; index += 1)
    yield { number: from.number + index * step, street, postalCode: first.postal_code, ...at(index / (count + 1)) }
}

/** Where a part of a line's length has been walked. */
function alongOf(line: readonly { lat: number; lng: number }[]) {
  const walked = [0]
  for (let at = 1; at < line.length; at += 1)
    walked.push(walked[at - 1]! + metresBetween(line[at - 1]!, line[at]!.lat, line[at]!.lng))
  const whole = walked.at(-1)!
  return {
    at(part: number) {
      const wanted = part * whole
      const next = Math.max(
        1,
        walked.findIndex((metres) => metres >= wanted),
      )
      const [a, b] = [line[next - 1]!, line[next]!]
      const length = walked[next]! - walked[next - 1]!
      const share = length > 0 ? (wanted - walked[next - 1]!) / length : 0
      return { lat: Math.round(a.lat + share * (b.lat - a.lat)), lng: Math.round(a.lng + share * (b.lng - a.lng)) }
    },
  }
}
