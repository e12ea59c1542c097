import { type QueryClient, useQuery } from '@tanstack/react-query'
import { mostItems } from '../../contract/limits.ts'
import type { Answer } from '../../contract/operations.ts'
import { api } from './client.ts'

export type Task = Answer<'getTask'>['task']
export type Driver = Answer<'listDrivers'>['users'][number]
export type Team = Answer<'listTeams'>['teams'][number]
export type Hub = Answer<'listHubs'>['hubs'][number]
export type Company = Answer<'getCompany'>['company']

/** When the server announces a change with one of these words, `live/live.ts` fetches the data again. */
export const keysOf = {
  drivers: ['drivers'],
  teams: ['teams'],
  hubs: ['hubs'],
  webhooks: ['webhooks'],
  keys: ['keys'],
  company: ['company'],
  people: ['people'],
  conflicts: ['conflicts'],
} as const

export const tasksKey = (day: string) => ['tasks', day] as const

/** Every task of a day, page by page. The list in the cache grows while it loads, and live events update it later. */
export async function loadTasks(client: QueryClient, day: string): Promise<Task[]> {
  const loaded: Task[] = []
  let cursor: string | undefined
  do {
    const page = await api.listTasks({ query: { day, limit: mostItems, ...(cursor && { cursor }) } })
    loaded.push(...page.tasks)
    cursor = page.nextCursor
  } while (cursor)
  // An event may have arrived before the page with its task.
  return newerOf(loaded, client.getQueryData<Task[]>(tasksKey(day)) ?? [])
}

function newerOf(loaded: Task[], known: Task[]): Task[] {
  const byId = new Map(known.map((task) => [task.id, task]))
  return loaded.map((task) => {
    const other = byId.get(task.id)
    return other && other.updatedAt > task.updatedAt ? other : task
  })
}

const all = { staleTime: 60_000 }

export const useDrivers = () =>
  useQuery({ queryKey: keysOf.drivers, queryFn: async () => (await api.listDrivers({ query: {} })).users, ...all })
export const useTeams = () =>
  useQuery({ queryKey: keysOf.teams, queryFn: async () => (await api.listTeams()).teams, ...all })
export const useHubs = () =>
  useQuery({ queryKey: keysOf.hubs, queryFn: async () => (await api.listHubs()).hubs, ...all })
export const useCompany = () =>
  useQuery({ queryKey: keysOf.company, queryFn: async () => (await api.getCompany()).company, ...all })
