import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflate, zstdCompress } from 'node:zlib'
import { PbfWriter } from 'pbf'

/*
 * Small extracts of OpenStreetMap (.osm.pbf) for tests. `drawTown` numbers things by itself and writes a file; `writeExtract` takes
 * lists, for files that must be wrong in a certain way; `openExtractFile` writes as much as one likes, a list at a time.
 */

export type GivenTags = Record<string, string>

export interface GivenNode {
  id: number
  lat: number
  lng: number
  tags?: GivenTags
}

export interface GivenWay {
  id: number
  nodeIds: number[]
  tags?: GivenTags
}

export interface GivenRelation {
  id: number
  members: { type: 'node' | 'way' | 'relation'; id: number; role?: string }[]
  tags?: GivenTags
}

export interface ExtractOptions {
  /** West, south, east, north; left out if not given. */
  bounds?: [west: number, south: number, east: number, north: number]
  /** When OpenStreetMap looked like this. */
  date?: Date
  requiredFeatures?: string[]
  /** How nodes are written; most files are dense. */
  nodes?: 'dense' | 'plain'
  compression?: 'zlib' | 'zstd' | 'none'
  /** How many things a block holds. */
  perBlock?: number
}

const compress = { zlib: promisify(deflate), zstd: promisify(zstdCompress) }

/** Coordinates are written in units of a ten-millionth of a degree, as everybody does. */
const unitsPerDegree = 1e7
const units = (degrees: number) => Math.round(degrees * unitsPerDegree)
const memberTypes = ['node', 'way', 'relation']

/** The strings of a block; things refer to them by number, and the first is nobody's. */
class Strings {
  readonly list: string[] = ['']
  private readonly numbers = new Map<string, number>()

  number(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    this.numbers.set(text, this.list.length)
    return this.list.push(text) - 1
  }

  write = (_: unknown, pbf: PbfWriter) => {
    for (const text of this.list) pbf.writeBytesField(1, Buffer.from(text))
  }
}

const deltas = (numbers: number[]) => numbers.map((number, index) => number - (numbers[index - 1] ?? 0))

function writeTags(pbf: PbfWriter, strings: Strings, tags: GivenTags = {}) {
  pbf.writePackedVarint(
    2,
    Object.keys(tags).map((key) => strings.number(key)),
  )
  pbf.writePackedVarint(
    3,
    Object.values(tags).map((value) => strings.number(value)),
  )
}

function writeDense(strings: Strings) {
  return (nodes: readonly GivenNode[], pbf: PbfWriter) => {
    const at = (of: (node: GivenNode) => number) => deltas(nodes.map(of))
    const tags = nodes.flatMap((node) => [
      ...Object.entries(node.tags ?? {}).flatMap(([key, value]) => [strings.number(key), strings.number(value)]),
      0,
    ])
    pbf.writePackedSVarint(
      1,
      at(({ id }) => id),
    )
    pbf.writePackedSVarint(
      8,
      at(({ lat }) => units(lat)),
    )
    pbf.writePackedSVarint(
      9,
      at(({ lng }) => units(lng)),
    )
    if (tags.some(Boolean)) pbf.writePackedVarint(10, tags)
  }
}

function writeNode(strings: Strings) {
  return ({ id, lat, lng, tags }: GivenNode, pbf: PbfWriter) => {
    pbf.writeSVarintField(1, id)
    writeTags(pbf, strings, tags)
    pbf.writeSVarintField(8, units(lat))
    pbf.writeSVarintField(9, units(lng))
  }
}

function writeWay(strings: Strings) {
  return ({ id, nodeIds, tags }: GivenWay, pbf: PbfWriter) => {
    pbf.writeVarintField(1, id)
    writeTags(pbf, strings, tags)
    pbf.writePackedSVarint(8, deltas(nodeIds))
  }
}

function writeRelation(strings: Strings) {
  return ({ id, members, tags }: GivenRelation, pbf: PbfWriter) => {
    pbf.writeVarintField(1, id)
    writeTags(pbf, strings, tags)
    pbf.writePackedVarint(
      8,
      members.map(({ role = '' }) => strings.number(role)),
    )
    pbf.writePackedSVarint(9, deltas(members.map((member) => member.id)))
    pbf.writePackedVarint(
      10,
      members.map(({ type }) => memberTypes.indexOf(type)),
    )
  }
}

/** Begins a file; what is added comes in that order. */
export async function openExtractFile(path: string, options: ExtractOptions = {}) {
  const { bounds, date, nodes: form = 'dense', compression = 'zlib', perBlock = 8_000 } = options
  const { requiredFeatures = ['OsmSchema-V0.6', 'DenseNodes'] } = options
  const file = await open(path, 'w')

  /** A block: its strings come first, but are known only when the rest has been written. */
  async function addBlock(write: (strings: Strings, pbf: PbfWriter) => void) {
    const strings = new Strings()
    const group = new PbfWriter()
    write(strings, group)
    const block = new PbfWriter()
    block.writeMessage(1, strings.write, null)
    block.writeBytesField(2, group.finish())
    await addBlob(file, 'OSMData', Buffer.from(block.finish()), compression)
  }
  async function addAll<Thing>(
    things: readonly Thing[],
    write: (strings: Strings, pbf: PbfWriter, part: Thing[]) => void,
  ) {
    for (let at = 0; at < things.length; at += perBlock)
      await addBlock((strings, pbf) => write(strings, pbf, things.slice(at, at + perBlock)))
  }

  await addBlob(
    file,
    'OSMHeader',
    header({ ...(bounds && { bounds }), ...(date && { date }), requiredFeatures }),
    compression,
  )
  return {
    nodes: (nodes: readonly GivenNode[]) =>
      addAll(nodes, (strings, pbf, part) => {
        if (form === 'dense') return pbf.writeMessage(2, writeDense(strings), part)
        for (const node of part) pbf.writeMessage(1, writeNode(strings), node)
      }),
    ways: (ways: readonly GivenWay[]) =>
      addAll(ways, (strings, pbf, part) => {
        for (const way of part) pbf.writeMessage(3, writeWay(strings), way)
      }),
    relations: (relations: readonly GivenRelation[]) =>
      addAll(relations, (strings, pbf, part) => {
        for (const relation of part) pbf.writeMessage(4, writeRelation(strings), relation)
      }),
    close: () => file.close(),
  }
}

function header({ bounds, date, requiredFeatures = [] }: ExtractOptions): Buffer {
  const pbf = new PbfWriter()
  if (bounds) {
    const [west, south, east, north] = bounds
    pbf.writeMessage(
      1,
      (sides: number[], pbf) => {
        for (const [index, side] of sides.entries()) pbf.writeSVarintField(index + 1, units(side) * 100)
      },
      [west, east, north, south],
    )
  }
  for (const feature of requiredFeatures) pbf.writeStringField(4, feature)
  pbf.writeStringField(16, 'a test')
  if (date) pbf.writeVarintField(32, Math.floor(date.getTime() / 1000))
  return Buffer.from(pbf.finish())
}

async function addBlob(
  file: FileHandle,
  type: string,
  bytes: Buffer,
  compression: ExtractOptions['compression'] = 'zlib',
) {
  const blob = new PbfWriter()
  if (compression === 'none') blob.writeBytesField(1, bytes)
  else {
    blob.writeVarintField(2, bytes.length)
    blob.writeBytesField(compression === 'zlib' ? 3 : 7, await compress[compression](bytes))
  }
  const body = blob.finish()
  const head = new PbfWriter()
  head.writeStringField(1, type)
  head.writeVarintField(3, body.length)
  const start = head.finish()
  const length = Buffer.alloc(4)
  length.writeUInt32BE(start.length)
  await file.appendFile(Buffer.concat([length, start, body]))
}

export interface Things {
  nodes?: readonly GivenNode[]
  ways?: readonly GivenWay[]
  relations?: readonly GivenRelation[]
}

/** A file with these things: nodes, ways, relations. Returns its path. */
export async function writeExtract(
  path: string,
  { nodes = [], ways = [], relations = [] }: Things,
  options: ExtractOptions = {},
): Promise<string> {
  const extract = await openExtractFile(path, options)
  await extract.nodes(nodes)
  await extract.ways(ways)
  await extract.relations(relations)
  await extract.close()
  return path
}

type Place = [lat: number, lng: number]

/**
 * A town on paper. Places are latitude and longitude; corners at the same place are the same node, so that streets meet. What is
 * drawn gets the next id and returns it.
 */
export function drawTown() {
  const nodes: GivenNode[] = []
  const ways: GivenWay[] = []
  const relations: GivenRelation[] = []
  const corners = new Map<string, number>()

  function node([lat, lng]: Place, tags?: GivenTags): number {
    const id = nodes.length + 1
    nodes.push({ id, lat, lng, ...(tags && { tags }) })
    return id
  }
  function corner(place: Place): number {
    const known = corners.get(place.join())
    if (known !== undefined) return known
    const id = node(place)
    corners.set(place.join(), id)
    return id
  }
  /** A line through these places. */
  function way(places: readonly Place[], tags: GivenTags = {}): number {
    const id = ways.length + 1
    ways.push({ id, nodeIds: places.map(corner), tags })
    return id
  }
  return {
    node,
    way,
    street: (name: string, places: readonly Place[], tags: GivenTags = {}) =>
      way(places, { highway: 'residential', name, ...tags }),
    house: (street: string, number: string, place: Place, tags: GivenTags = {}) =>
      node(place, { 'addr:street': street, 'addr:housenumber': number, ...tags }),
    /** A line that ends where it begins. */
    ring: (places: readonly Place[], tags: GivenTags = {}) => way([...places, places[0] as Place], tags),
    relation(tags: GivenTags, members: GivenRelation['members']): number {
      const id = relations.length + 1
      relations.push({ id, tags, members })
      return id
    },
    write: (path: string, options: ExtractOptions = {}) => writeExtract(path, { nodes, ways, relations }, options),
  }
}
