import { type Blob, type Blobs, openBlobs } from './blobs.ts'
import { type Block, type Header, readBlock, readHeader, unitsPerDegree } from './block.ts'
import { type Coordinates, missing, openCoordinates } from './coordinates.ts'
import type { Maker, OsmRelation } from './elements.ts'
import { type KeptWay, type KeptWays, Numbers, openKeptWays } from './kept-ways.ts'
import { putTogether } from './rings.ts'
import { damaged, UnreadableExtract } from './unreadable.ts'

/*
 * Reads an extract in one pass, after a look at its relations. What has to be remembered (where nodes are, the ways of areas) goes to
 * the disk, so that memory does not grow with the extract.
 */

export interface Extract {
  /** What the file says it covers, if it does. West, south, east, north. */
  bounds: Header['bounds']
  /** When OpenStreetMap looked like this, if the file says so. */
  date: Date | undefined
  bytes: number
  /** Hands everything to the makers, in order. Throws what is wrong with the file in a sentence (`UnreadableExtract`). */
  read(makers: readonly Maker<unknown>[], options: ReadOptions): Promise<ReadResult>
  close(): Promise<void>
}

export interface ReadOptions {
  /** An existing folder for what is needed while reading: about twelve bytes for each node. */
  folder: string
  /** From 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

export interface ReadResult {
  nodeCount: number
  /** What the file says, or where its nodes are. */
  bounds: readonly [west: number, south: number, east: number, north: number]
  /** Areas of which a part lies outside the extract; what is complete of them was handed on. */
  incompleteAreas: number
}

const knownFeatures = ['OsmSchema-V0.6', 'DenseNodes']

export async function openExtract(path: string): Promise<Extract> {
  const blobs = await openBlobs(path)
  try {
    const { requiredFeatures, bounds, date } = understand('its beginning', () => readHeader(blobs.header))
    if (requiredFeatures.includes('HistoricalInformation'))
      throw new UnreadableExtract(
        'The file has the history of OpenStreetMap, with what was deleted: take the extract without history (its name does not contain "history" or "internal")',
      )
    const unknown = requiredFeatures.filter((feature) => !knownFeatures.includes(feature))
    if (unknown.length > 0)
      throw new UnreadableExtract(
        `The file needs what this version of Waybill cannot read (${unknown.join(', ')}): take an ordinary extract, or update Waybill`,
      )
    return {
      bounds,
      date,
      bytes: blobs.size,
      read: (makers, options) => readAll(blobs, bounds, makers, options),
      close: blobs.close,
    }
  } catch (error) {
    await blobs.close()
    throw error
  }
}

function understand<Result>(where: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw damaged(where, error)
  }
}

/** So many blocks are decompressed ahead: it happens in other threads. */
const ahead = 4

async function* readBlocks(blobs: Blobs, list: readonly Blob[]) {
  const coming: Promise<Buffer>[] = []
  const begin = (blob: Blob | undefined) => {
    if (!blob) return
    const bytes = blobs.read(blob)
    // It is waited for later, or never if one before it fails.
    bytes.catch(() => {})
    coming.push(bytes)
  }
  for (const blob of list.slice(0, ahead)) begin(blob)
  for (const [index, blob] of list.entries()) {
    const bytes = (await coming.shift()) as Buffer
    begin(list[index + ahead])
    yield { blob, block: understand(`the part at byte ${blob.at}`, () => readBlock(bytes)) }
  }
}

const isArea = ({ tags }: OsmRelation) => tags['type'] === 'multipolygon' || tags['type'] === 'boundary'

/** The ways that areas are put together from, in order. Relations are at the end, and found there by halving. */
async function findWaysOfAreas(blobs: Blobs, signal: AbortSignal | undefined): Promise<Float64Array> {
  let [low, high] = [0, blobs.data.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const hasRelations = await hasRelationsFrom(blobs, middle, high)
    if (hasRelations) high = middle
    else low = middle + 1
  }
  const ids = new Numbers()
  for await (const { block } of readBlocks(blobs, blobs.data.slice(low))) {
    signal?.throwIfAborted()
    for (const relation of block.relations.filter(isArea))
      for (const { type, id } of relation.members) if (type === 'way') ids.push(id)
  }
  return ids.list().sort()
}

/** Whether the first block from here on that holds anything holds relations. */
async function hasRelationsFrom(blobs: Blobs, from: number, to: number): Promise<boolean> {
  for await (const { block } of readBlocks(blobs, blobs.data.slice(from, to))) {
    if (block.relations.length > 0) return true
    if (block.ways.length > 0 || block.nodes.ids.length > 0) return false
  }
  return true
}

async function readAll(
  blobs: Blobs,
  given: Header['bounds'],
  makers: readonly Maker<unknown>[],
  { folder, onProgress = () => {}, signal }: ReadOptions,
): Promise<ReadResult> {
  const wanted = await findWaysOfAreas(blobs, signal)
  await using stack = new AsyncDisposableStack()
  const coordinates = await openCoordinates(folder)
  stack.defer(coordinates.close)
  const kept = await openKeptWays(folder)
  stack.defer(kept.close)

  const order = createOrder()
  const bounds = createBounds()
  const ways = createWays({ coordinates, kept, wanted, makers })
  let incompleteAreas = 0

  for await (const { blob, block } of readBlocks(blobs, blobs.data)) {
    signal?.throwIfAborted()
    onProgress(blob.at / blobs.size)
    const inOrder = order.take(block, blob)
    bounds.add(block.nodes, blob)
    await addNodes(block.nodes, coordinates, makers)
    for (const way of inOrder.ways) await ways.add(way)
    if (inOrder.relations.length === 0) continue
    await ways.finish()
    for (const relation of inOrder.relations) if (!(await handRelation(relation, kept, makers))) incompleteAreas += 1
  }
  await ways.finish()
  if (coordinates.count() === 0) throw withoutNodes()
  return { nodeCount: coordinates.count(), bounds: given ?? bounds.get(), incompleteAreas }
}

const withoutNodes = () =>
  new UnreadableExtract(
    'The file has no nodes, so nothing in it has a place: take an extract with nodes, ways and relations, as the download pages offer them',
  )

async function addNodes(
  { ids, lats, lngs, tagged }: Block['nodes'],
  coordinates: Coordinates,
  makers: readonly Maker<unknown>[],
) {
  await coordinates.add(ids, lats, lngs)
  for (const { index, tags } of tagged) {
    const id = ids[index] as number
    if (id === ids[index - 1]) continue
    const node = {
      id,
      tags,
      lat: (lats[index] as number) / unitsPerDegree,
      lng: (lngs[index] as number) / unitsPerDegree,
    }
    for (const maker of makers) {
      const held = maker.node?.(node)
      if (held) await held
    }
  }
}

/** Ways get their points for this many nodes at a time: more of them read the pages of coordinates less often. */
const nodesAtATime = 2_000_000

interface WayWork {
  coordinates: Coordinates
  kept: KeptWays
  /** The ways of areas, in order; some twice. */
  wanted: Float64Array
  makers: readonly Maker<unknown>[]
}

function createWays({ coordinates, kept, wanted, makers }: WayWork) {
  let waiting: Block['ways'] = []
  let nodes = 0
  let next = 0

  async function handOn() {
    const nodeIds = new Float64Array(nodes)
    let at = 0
    for (const way of waiting) {
      nodeIds.set(way.nodeIds, at)
      at += way.nodeIds.length
    }
    const places = await coordinates.find(nodeIds)
    const ways = waiting
    ;[waiting, nodes, at] = [[], 0, 0]
    for (const way of ways) {
      const end = at + way.nodeIds.length
      await handWay(way, places.subarray(at * 2, end * 2))
      at = end
    }
  }

  async function handWay(way: Block['ways'][number], places: Int32Array) {
    const { nodeIds, found } = withoutMissing(way.nodeIds, places)
    if (nodeIds.length < 2) return
    while (next < wanted.length && (wanted[next] as number) < way.id) next += 1
    if (wanted[next] === way.id)
      await kept.keep(way.id, {
        firstNodeId: nodeIds[0] as number,
        lastNodeId: nodeIds.at(-1) as number,
        // Another list than the batch's: it is written later.
        points: found.slice(),
      })
    const handed = { id: way.id, tags: way.tags, nodeIds, points: inDegrees(found) }
    for (const maker of makers) {
      const held = maker.way?.(handed)
      if (held) await held
    }
  }

  return {
    async add(way: Block['ways'][number]) {
      if (coordinates.count() === 0) throw withoutNodes()
      waiting.push(way)
      nodes += way.nodeIds.length
      if (nodes >= nodesAtATime) await handOn()
    },
    async finish() {
      if (waiting.length > 0) await handOn()
      await kept.flush()
    },
  }
}

/** Nodes beyond the edge of the extract are not in it. */
function withoutMissing(nodeIds: readonly number[], places: Int32Array) {
  if (!places.includes(missing)) return { nodeIds, found: places }
  const known = nodeIds.map((_, index) => index).filter((index) => places[index * 2] !== missing)
  return {
    nodeIds: known.map((index) => nodeIds[index] as number),
    found: Int32Array.from(known.flatMap((index) => [places[index * 2] as number, places[index * 2 + 1] as number])),
  }
}

function inDegrees(points: Int32Array): Float64Array {
  const degrees = new Float64Array(points.length)
  for (let at = 0; at < points.length; at += 2) {
    degrees[at] = (points[at + 1] as number) / unitsPerDegree
    degrees[at + 1] = (points[at] as number) / unitsPerDegree
  }
  return degrees
}

/** Whether all of its ways are in the extract, if it is an area. */
async function handRelation(
  relation: OsmRelation,
  kept: KeptWays,
  makers: readonly Maker<unknown>[],
): Promise<boolean> {
  let isComplete = true
  if (isArea(relation)) {
    const ways = new Map<number, KeptWay>()
    for (const { type, id } of relation.members) {
      if (type !== 'way') continue
      const way = kept.find(id)
      if (way) ways.set(id, way)
      else isComplete = false
    }
    const polygons = putTogether([...ways.values()])
    for (const maker of polygons.length > 0 ? makers : []) {
      const held = maker.area?.({ id: relation.id, tags: relation.tags, polygons })
      if (held) await held
    }
  }
  for (const maker of makers) {
    const held = maker.relation?.(relation)
    if (held) await held
  }
  return isComplete
}

/** Looks whether things come in the order of their kinds and ids, on which all else relies. What comes twice is taken once. */
function createOrder() {
  const kinds = ['nodes', 'ways', 'relations'] as const
  let [kind, last] = [0, Number.NEGATIVE_INFINITY]

  function step(thisKind: number, id: number, { at }: Blob): boolean {
    if (!Number.isSafeInteger(id)) throw damaged(`the part at byte ${at}`)
    if (thisKind < kind || (thisKind === kind && id < last))
      throw new UnreadableExtract(
        `The file is not sorted (${kinds[thisKind]} come after ${thisKind < kind ? kinds[kind] : `${kinds[kind]} with larger ids`}): ` +
          'sort it with "osmium sort file.osm.pbf -o sorted.osm.pbf", or take an extract from a download page; those are sorted',
      )
    const isNew = thisKind !== kind || id !== last
    kind = thisKind
    last = id
    return isNew
  }
  return {
    take({ nodes, ways, relations }: Block, blob: Blob) {
      for (const id of nodes.ids) step(0, id, blob)
      return {
        ways: ways.filter(({ id }) => step(1, id, blob)),
        relations: relations.filter(({ id }) => step(2, id, blob)),
      }
    },
  }
}

function createBounds() {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  return {
    add({ lats, lngs }: Block['nodes'], { at }: Blob) {
      for (let index = 0; index < lats.length; index += 1) {
        const [lat, lng] = [lats[index] as number, lngs[index] as number]
        if (!(Math.abs(lat) <= 90 * unitsPerDegree && Math.abs(lng) <= 180 * unitsPerDegree))
          throw damaged(`the part at byte ${at}`)
        if (lat < south) south = lat
        if (lat > north) north = lat
        if (lng < west) west = lng
        if (lng > east) east = lng
      }
    },
    get: () => [west, south, east, north].map((units) => units / unitsPerDegree) as unknown as ReadResult['bounds'],
  }
}
