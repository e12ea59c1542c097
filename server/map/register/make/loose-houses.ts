import type pg from 'pg'
import { openWriter, readRows } from './stage.ts'

/*
 * Houses that have a number and no street belong to the nearest one, if it is near. By cells of about a kilometre, one after the
 * other from two sorted streams, so that only the streets of one cell are in memory.
 */

const cellSize = 10_000
const farthestMetres = 100
/** A little more than that, in every direction, in millionths of a degree. */
const margin = 1_500
/** A cell of a big city has a few hundred. */
const mostStreetsInCell = 20_000

const cellAt = (lat: number, lng: number) => Math.floor(lat / cellSize) * 100_000 + Math.floor(lng / cellSize)

const looseHouses = `select h.osm, h.lat, h.lng from found_houses h
  where h.street is null and h.place is null and not exists (select from found_members m where m.osm = h.osm)`

interface Loose {
  cell: number
  osm: string
  lat: number
  lng: number
}
interface Street {
  cell: number
  name: string
  line: string
}

export async function findStreetsOfHouses(client: pg.Client) {
  await client.query(`
    create temp table loose_houses (cell bigint, osm text, lat int, lng int);
    create temp table cell_streets (cell bigint, name text, line text)`)
  const cells = new Set<number>()
  const houses = openWriter(client, 'loose_houses', 'cell, osm, lat, lng')
  for await (const { osm, lat, lng } of readRows<Loose>(client, looseHouses)) {
    const cell = cellAt(lat, lng)
    cells.add(cell)
    await houses.add(cell, osm, lat, lng)
  }
  await houses.flush()
  if (cells.size === 0) return

  const streets = openWriter(client, 'cell_streets', 'cell, name, line')
  for await (const { name, line } of readRows<Street>(client, 'select name, line from found_ways'))
    for (const cell of cellsOf(line)) if (cells.has(cell)) await streets.add(cell, name, line)
  await streets.flush()

  const found = openWriter(client, 'found_members', 'osm, street')
  const byCell = readRows<Street>(client, 'select cell::float8 as cell, name, line from cell_streets order by cell')
  let next = await byCell.next()
  let here: { cell: number; streets: { name: string; points: number[] }[] } = { cell: Number.NaN, streets: [] }
  const inOrder = 'select cell::float8 as cell, osm, lat, lng from loose_houses order by cell'
  for await (const { cell, osm, lat, lng } of readRows<Loose>(client, inOrder)) {
    if (here.cell !== cell) here = { cell, streets: [] }
    while (!next.done && next.value.cell <= cell) {
      const { cell: of, name, line } = next.value
      if (of === cell && here.streets.length < mostStreetsInCell) here.streets.push({ name, points: pointsOf(line) })
      next = await byCell.next()
    }
    const street = nearest(here.streets, lat, lng)
    if (street) await found.add(osm, street)
  }
  await byCell.return(undefined)
  await found.flush()
}

const pointsOf = (line: string) => line.split(' ').map(Number)

function cellsOf(line: string): Set<number> {
  const points = pointsOf(line)
  const cells = new Set<number>()
  for (let at = 0; at < points.length; at += 2)
    for (const north of [-margin, margin])
      for (const east of [-margin, margin]) cells.add(cellAt(points[at]! + north, points[at + 1]! + east))
  return cells
}

function nearest(streets: readonly { name: string; points: number[] }[], lat: number, lng: number): string | undefined {
  let best: string | undefined
  let least = farthestMetres
  for (const { name, points } of streets) {
    const metres = metresToLine(points, lat, lng)
    if (metres < least) [best, least] = [name, metres]
  }
  return best
}

/** The distance from a line of latitudes and longitudes. */
function metresToLine(points: readonly number[], lat: number, lng: number): number {
  let least = Number.POSITIVE_INFINITY
  const narrow = Math.cos((lat / 1e6) * (Math.PI / 180))
  for (let at = 0; at < points.length; at += 2) {
    const next = Math.min(at + 2, points.length - 2)
    const [y, x] = [points[at]! - lat, (points[at + 1]! - lng) * narrow]
    const [dy, dx] = [points[next]! - points[at]!, (points[next + 1]! - points[at + 1]!) * narrow]
    const length = dx * dx + dy * dy
    const share = length > 0 ? Math.max(0, Math.min(1, -(x * dx + y * dy) / length)) : 0
    least = Math.min(least, Math.hypot(y + share * dy, x + share * dx) * 0.1113)
  }
  return least
}
