/*
 * The smallest possible map (PMTiles 3, Mapbox Vector Tile 2): one tile of the whole world with a lake that covers all
 * of it.
 */

const bytes = (...parts: (Uint8Array | number[])[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const text = (value: string) => new TextEncoder().encode(value)

function varint(value: number): number[] {
  const low = value % 128
  return value < 128 ? [low] : [low + 128, ...varint(Math.floor(value / 128))]
}
const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value)

const field = (number: number, value: Uint8Array | number) =>
  typeof value === 'number'
    ? bytes(varint(number * 8), varint(value))
    : bytes(varint(number * 8 + 2), varint(value.length), value)

/** One square of 4096 × 4096 in the layer `water`, with `kind: lake`. */
export function lakeTile(): Uint8Array {
  const side = 4096
  const square = [[9, 0, 0], [26, side, 0, 0, side, -side, 0], [15]]
  const geometry = bytes(...square.map(([command = 0, ...steps]) => bytes(varint(command), ...steps.map(zigzag))))
  const feature = bytes(field(2, bytes([0, 0])), field(3, 3), field(4, geometry))
  const layer = bytes(
    field(15, 2),
    field(1, text('water')),
    field(2, feature),
    field(3, text('kind')),
    field(4, field(1, text('lake'))),
    field(5, side),
  )
  return field(3, layer)
}

/** `name`: of the map, so that two of them differ. */
export function tinyMap(name = 'Tiny'): Uint8Array {
  const tile = lakeTile()
  const directory = bytes(varint(1), varint(0), varint(1), varint(tile.length), varint(1))
  const metadata = text(JSON.stringify({ name, vector_layers: [{ id: 'water', fields: { kind: 'String' } }] }))
  const headerLength = 127
  const [atMetadata, atTiles] = [headerLength + directory.length, headerLength + directory.length + metadata.length]

  const header = new DataView(new ArrayBuffer(headerLength))
  new Uint8Array(header.buffer).set(text('PMTiles'))
  header.setUint8(7, 3)
  const numbers = [
    headerLength,
    directory.length,
    atMetadata,
    metadata.length,
    atTiles,
    0,
    atTiles,
    tile.length,
    1,
    1,
    1,
  ]
  for (const [at, number] of numbers.entries()) header.setBigUint64(8 + 8 * at, BigInt(number), true)
  // Clustered, nothing compressed, vector tiles, zoom 0 to 0, the whole world, its middle.
  for (const [at, value] of [1, 1, 1, 1, 0, 0].entries()) header.setUint8(96 + at, value)
  for (const [at, degrees] of [-180, -85, 180, 85].entries()) header.setInt32(102 + 4 * at, degrees * 1e7, true)
  return bytes(new Uint8Array(header.buffer), directory, metadata, tile)
}
