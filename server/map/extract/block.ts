import { PbfReader } from 'pbf'
import type { OsmRelation, Tags } from './elements.ts'

/* What a blob holds: a header, or a block of nodes, ways and relations with the strings they use. */

export interface Header {
  requiredFeatures: string[]
  /** West, south, east, north, in degrees. */
  bounds: readonly [west: number, south: number, east: number, north: number] | undefined
  /** When OpenStreetMap looked like this. */
  date: Date | undefined
}

/** Coordinates are whole numbers of ten-millionths of a degree, as OpenStreetMap keeps them. */
export const unitsPerDegree = 1e7

export interface Block {
  nodes: {
    ids: number[]
    lats: number[]
    lngs: number[]
    /** Those that say something, and where they are in the lists above. */
    tagged: { index: number; tags: Tags }[]
  }
  ways: { id: number; tags: Tags; nodeIds: number[] }[]
  relations: OsmRelation[]
}

/** Where the message or list that begins here ends. A broken length must not make us read for hours. */
function readEnd(pbf: PbfReader): number {
  const end = pbf.readVarint() + pbf.pos
  if (!(end <= pbf.length)) throw new RangeError('A length is longer than the file')
  return end
}

function readList(pbf: PbfReader, list: number[] = []): number[] {
  const end = readEnd(pbf)
  while (pbf.pos < end) list.push(pbf.readVarint())
  return list
}

/** Numbers of which each says how much more it is than the one before. */
function readDeltas(pbf: PbfReader, list: number[] = []): number[] {
  const end = readEnd(pbf)
  let value = 0
  while (pbf.pos < end) {
    value += pbf.readSVarint()
    list.push(value)
  }
  return list
}

function readMessage<Result>(
  pbf: PbfReader,
  result: Result,
  read: (tag: number, result: Result, pbf: PbfReader) => void,
): Result {
  return pbf.readFields(read, result, readEnd(pbf))
}

/** Here, degrees are written in thousand-millionths. */
const nanosPerDegree = 1e9

export function readHeader(bytes: Buffer): Header {
  const header: Header = { requiredFeatures: [], bounds: undefined, date: undefined }
  return new PbfReader(bytes).readFields((tag, header, pbf) => {
    if (tag === 1) {
      const sides = readMessage(
        pbf,
        { 1: NaN, 2: NaN, 3: NaN, 4: NaN } as Record<number, number>,
        (side, sides, pbf) => {
          if (side in sides) sides[side] = pbf.readSVarint() / nanosPerDegree
        },
      )
      const { 1: west = NaN, 2: east = NaN, 3: north = NaN, 4: south = NaN } = sides
      if (west < east && south < north) header.bounds = [west, south, east, north]
    } else if (tag === 4) header.requiredFeatures.push(pbf.readString())
    else if (tag === 32) header.date = dateOf(pbf.readVarint(true))
  }, header)
}

const dateOf = (seconds: number) => (seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : undefined)

export function readBlock(bytes: Buffer): Block {
  const block: Block = { nodes: { ids: [], lats: [], lngs: [], tagged: [] }, ways: [], relations: [] }
  // What the groups are to be read with may come after them.
  const frame = { strings: [] as string[], groups: [] as [at: number, end: number][], granularity: 100, lat: 0, lng: 0 }
  const pbf = new PbfReader(bytes)
  pbf.readFields((tag, frame, pbf) => {
    if (tag === 1)
      readMessage(pbf, frame.strings, (tag, strings, pbf) => {
        if (tag === 1) strings.push(pbf.readString())
      })
    else if (tag === 2) {
      const end = readEnd(pbf)
      frame.groups.push([pbf.pos, end])
      pbf.pos = end
    } else if (tag === 17) frame.granularity = pbf.readVarint()
    else if (tag === 19) frame.lat = pbf.readVarint(true)
    else if (tag === 20) frame.lng = pbf.readVarint(true)
  }, frame)
  const { strings } = frame
  const unitsOf = (offset: number) =>
    offset === 0 && frame.granularity === 100
      ? (value: number) => value
      : (value: number) => Math.round((offset + frame.granularity * value) / 100)
  const [latOf, lngOf] = [unitsOf(frame.lat), unitsOf(frame.lng)]

  for (const [at, end] of frame.groups) {
    pbf.pos = at
    pbf.readFields(
      (tag, block, pbf) => {
        if (tag === 1) readNode(pbf, strings, block, latOf, lngOf)
        else if (tag === 2) readDense(pbf, strings, block, latOf, lngOf)
        else if (tag === 3) block.ways.push(readWay(pbf, strings))
        else if (tag === 4) block.relations.push(readRelation(pbf, strings))
      },
      block,
      end,
    )
  }
  return block
}

type Units = (value: number) => number

function tagsOf(strings: readonly string[], keys: readonly number[], values: readonly number[]): Tags {
  const tags: Record<string, string> = {}
  for (let index = 0; index < keys.length; index += 1)
    tags[stringAt(strings, keys[index])] = stringAt(strings, values[index])
  return tags
}

function stringAt(strings: readonly string[], number: number | undefined): string {
  const text = strings[number as number]
  if (text === undefined) throw new RangeError('A text is missing')
  return text
}

function readNode(pbf: PbfReader, strings: readonly string[], { nodes }: Block, latOf: Units, lngOf: Units) {
  const node = { id: NaN, keys: [] as number[], values: [] as number[], lat: NaN, lng: NaN }
  readMessage(pbf, node, (tag, node, pbf) => {
    if (tag === 1) node.id = pbf.readSVarint()
    else if (tag === 2) readList(pbf, node.keys)
    else if (tag === 3) readList(pbf, node.values)
    else if (tag === 8) node.lat = latOf(pbf.readSVarint())
    else if (tag === 9) node.lng = lngOf(pbf.readSVarint())
  })
  if (node.keys.length > 0)
    nodes.tagged.push({ index: nodes.ids.length, tags: tagsOf(strings, node.keys, node.values) })
  nodes.ids.push(node.id)
  nodes.lats.push(node.lat)
  nodes.lngs.push(node.lng)
}

function readDense(pbf: PbfReader, strings: readonly string[], { nodes }: Block, latOf: Units, lngOf: Units) {
  const dense = { ids: [] as number[], lats: [] as number[], lngs: [] as number[], texts: [] as number[] }
  readMessage(pbf, dense, (tag, dense, pbf) => {
    if (tag === 1) readDeltas(pbf, dense.ids)
    else if (tag === 8) readDeltas(pbf, dense.lats)
    else if (tag === 9) readDeltas(pbf, dense.lngs)
    else if (tag === 10) readList(pbf, dense.texts)
  })
  const { ids, lats, lngs, texts } = dense
  if (lats.length !== ids.length || lngs.length !== ids.length) throw new RangeError('A coordinate is missing')
  const first = nodes.ids.length
  for (let index = 0; index < ids.length; index += 1) {
    nodes.ids.push(ids[index] as number)
    nodes.lats.push(latOf(lats[index] as number))
    nodes.lngs.push(lngOf(lngs[index] as number))
  }
  // Key, value, key, value, and a zero after the last of each node.
  let index = first
  for (let at = 0; at < texts.length; at += 1, index += 1) {
    if (texts[at] === 0) continue
    const tags: Record<string, string> = {}
    for (; at < texts.length && texts[at] !== 0; at += 2)
      tags[stringAt(strings, texts[at])] = stringAt(strings, texts[at + 1])
    if (index >= nodes.ids.length) throw new RangeError('A node is missing')
    nodes.tagged.push({ index, tags })
  }
}

function readWay(pbf: PbfReader, strings: readonly string[]): Block['ways'][number] {
  const way = { id: NaN, keys: [] as number[], values: [] as number[], nodeIds: [] as number[] }
  readMessage(pbf, way, (tag, way, pbf) => {
    if (tag === 1) way.id = pbf.readVarint(true)
    else if (tag === 2) readList(pbf, way.keys)
    else if (tag === 3) readList(pbf, way.values)
    else if (tag === 8) readDeltas(pbf, way.nodeIds)
  })
  return { id: way.id, tags: tagsOf(strings, way.keys, way.values), nodeIds: way.nodeIds }
}

const memberTypes = ['node', 'way', 'relation'] as const

function readRelation(pbf: PbfReader, strings: readonly string[]): OsmRelation {
  const lists = {
    keys: [] as number[],
    values: [] as number[],
    roles: [] as number[],
    ids: [] as number[],
    types: [] as number[],
  }
  let id = NaN
  readMessage(pbf, lists, (tag, lists, pbf) => {
    if (tag === 1) id = pbf.readVarint(true)
    else if (tag === 2) readList(pbf, lists.keys)
    else if (tag === 3) readList(pbf, lists.values)
    else if (tag === 8) readList(pbf, lists.roles)
    else if (tag === 9) readDeltas(pbf, lists.ids)
    else if (tag === 10) readList(pbf, lists.types)
  })
  const { keys, values, roles, ids, types } = lists
  const members = ids.map((id, index) => {
    const type = memberTypes[types[index] as number]
    if (!type) throw new RangeError('A member is of no known type')
    return { type, id, role: stringAt(strings, roles[index]) }
  })
  return { id, tags: tagsOf(strings, keys, values), members }
}
