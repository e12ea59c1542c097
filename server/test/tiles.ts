import { open } from 'node:fs/promises'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles, type RangeResponse } from 'pmtiles'

/** A feature as a browser sees it, in longitude and latitude. */
export interface SeenFeature {
  properties: Record<string, string | number | boolean>
  geometry: { type: string; coordinates: unknown }
  /** As it stands in the tile. */
  points: { x: number; y: number }[][]
}

/** Reads a file of tiles with the same packages as a browser. */
export function readTiles(path: string) {
  const archive = new PMTiles({ getKey: () => path, getBytes: (offset, length) => readBytes(path, offset, length) })
  async function tile(z: number, x: number, y: number): Promise<VectorTile | undefined> {
    const found = await archive.getZxy(z, x, y)
    return found && new VectorTile(new PbfReader(new Uint8Array(found.data)))
  }
  async function features(z: number, x: number, y: number, layer: string): Promise<SeenFeature[]> {
    const found = (await tile(z, x, y))?.layers[layer]
    return Array.from({ length: found?.length ?? 0 }, (_, index) => {
      const feature = found?.feature(index)
      if (!feature) throw new Error(`${layer} of ${z}/${x}/${y} has no feature ${index}`)
      const { geometry } = feature.toGeoJSON(x, y, z)
      return {
        properties: feature.properties,
        geometry: geometry as SeenFeature['geometry'],
        points: feature.loadGeometry(),
      }
    })
  }
  return {
    header: () => archive.getHeader(),
    metadata: () => archive.getMetadata() as Promise<Record<string, unknown>>,
    tile,
    /** As text, whatever it holds. */
    raw: async (z: number, x: number, y: number) => {
      const found = await archive.getZxy(z, x, y)
      return found && Buffer.from(found.data).toString()
    },
    features,
    /** Of the tile around a place. */
    at: (z: number, lng: number, lat: number, layer: string) => features(z, ...tileAt(z, lng, lat), layer),
  }
}

/** The column and row of the tile around a place. */
export function tileAt(z: number, lng: number, lat: number): [x: number, y: number] {
  const across = lng / 360 + 0.5
  const down = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI / 2
  return [Math.floor(across * 2 ** z), Math.floor(down * 2 ** z)]
}

async function readBytes(path: string, offset: number, length: number): Promise<RangeResponse> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset)
    return { data: buffer.buffer.slice(0, bytesRead) as ArrayBuffer }
  } finally {
    await file.close()
  }
}
