import { PMTiles, Protocol } from 'pmtiles'

/** Reads files of tiles in parts, for the library that draws them and for us. */
export const protocol = new Protocol()

/** Each file once, so that what it says about itself is asked once. */
export function openTiles(url: string): PMTiles {
  const opened = protocol.get(url)
  if (opened) return opened
  const tiles = new PMTiles(url)
  protocol.add(tiles)
  return tiles
}
