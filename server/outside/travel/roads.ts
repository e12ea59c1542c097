import type { Point } from '../../../core/geo.ts'
import type { Transport } from '../../../core/travel.ts'

/** The way from one place to another, as it is driven on empty roads. */
export interface Leg {
  seconds: number
  metres: number
  /** Along the streets: an encoded polyline (core/polyline). */
  line: string
}

/** The roads of the imported map. Undefined where there are none here, or whoever searches them fails. */
export interface Roads {
  /** Row by row; -1 where no way by road is known. */
  table(transport: Transport, places: readonly Point[]): Promise<RoadTable | undefined>
  /** One for each two places that follow each other. */
  legs(transport: Transport, places: readonly Point[]): Promise<(Leg | undefined)[] | undefined>
}

export interface RoadTable {
  seconds: ArrayLike<number>
  metres: ArrayLike<number>
}

/** Where there is no imported map, or nobody wants it. */
export const noRoads: Roads = { table: async () => undefined, legs: async () => undefined }
