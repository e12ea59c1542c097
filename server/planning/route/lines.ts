import { mostLines } from '../../../contract/limits.ts'
import type { Point } from '../../../core/geo.ts'
import { numberStops } from '../../../core/stop.ts'
import type { Transport } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { pointOf } from '../problem/stops.ts'

type Travelling = Pick<Context, 'travel'>

/** The way to each of these stops along the streets, from the one before or the start; null where there is none. */
export async function findLines(
  { travel }: Travelling,
  start: Point | null,
  stops: readonly (Point | null)[],
  transport: Transport,
  most = mostLines,
): Promise<(string | null)[]> {
  const placed = [...stops.keys()].filter((index) => stops[index])
  const points = [...(start ? [start] : []), ...placed.map((index) => stops[index] as Point)]
  const legs = most > 0 ? await travel.legs({ places: points.slice(0, most + 1), transport }) : []
  const lines: (string | null)[] = stops.map(() => null)
  for (const [index, stop] of placed.entries()) lines[stop] = legs[start ? index : index - 1]?.line ?? null
  return lines
}

interface Orders {
  start: Point | null
  transport: Transport
  /** The current order. */
  before: readonly TaskView[]
  /** A new one of the same tasks, or with others among them. */
  after: readonly TaskView[]
}

/** Both orders as a page draws them, by the tasks of the new one; none of its lines unless so many are wanted. */
export async function drawOrders(context: Travelling, { start, transport, before, after }: Orders, most: number) {
  const draw = async (order: readonly TaskView[]) => {
    const stopOf = numberStops(order)
    const isFirst = ({ id }: TaskView, index: number) => stopOf.get(id) !== stopOf.get(order[index - 1]?.id ?? 0)
    const points = order.map((task, index) => (isFirst(task, index) ? pointOf(task) : null))
    const lines = await findLines(context, start, points, transport, most)
    return new Map(
      order.map(({ id }, index) => [
        id,
        { position: index + 1, stop: stopOf.get(id) as number, line: lines[index] ?? null },
      ]),
    )
  }
  const [now, then] = [await draw(before), await draw(after)]
  return after.map((task) => {
    const [old, { position, stop, line }] = [
      now.get(task.id),
      then.get(task.id) as NonNullable<ReturnType<typeof then.get>>,
    ]
    return {
      taskId: task.id,
      awb: task.awb,
      position,
      positionBefore: old?.position ?? null,
      stop,
      stopBefore: old?.stop ?? null,
      lat: task.address.lat,
      lng: task.address.lng,
      line,
      lineBefore: old?.line ?? null,
    }
  })
}

/** How many more lines an answer may have that has these. */
export const linesLeft = (stops: readonly { line: string | null }[]) =>
  mostLines - stops.filter(({ line }) => line !== null).length
