import type { Hub } from '../../contract/hub.ts'
import type { Team } from '../../contract/team.ts'
import type { JsonRow } from '../db/table.ts'
import type { HubRow, hubs, TeamView } from './queries.ts'

export const presentHub = (hub: HubRow | JsonRow<typeof hubs>): Hub => ({
  id: hub.id,
  name: hub.name,
  lat: hub.lat,
  lng: hub.lng,
  address: hub.address,
  precision: hub.precision,
  city: hub.city,
  state: hub.state,
  country: hub.country,
  streetNumber: hub.street_number,
  streetName: hub.street_name,
  postalCode: hub.postal_code,
  apartment: hub.apartment,
  createdAt: new Date(hub.created_at).toISOString(),
  updatedAt: new Date(hub.updated_at).toISOString(),
})

export const presentTeam = (team: TeamView): Team => ({
  id: team.id,
  name: team.name,
  createdAt: team.created_at.toISOString(),
  updatedAt: team.updated_at.toISOString(),
  hub: team.hub && presentHub(team.hub),
  drivers: team.drivers,
})
