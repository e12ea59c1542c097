import type { Client } from '../../sdk/client.ts'
import type { Position } from './journey.ts'

type Report = (request: { body: { locations: Position[] } }) => Promise<unknown>

/** Tells where a driver is, if the server takes positions at all. */
export async function reportPosition(client: Client, { lat, lng, heading }: Position): Promise<void> {
  const { reportDriverLocations: report } = client as { reportDriverLocations?: Report }
  await report?.({ body: { locations: [{ lat, lng, heading }] } })
}
