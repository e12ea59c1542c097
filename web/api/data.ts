import { useQuery } from '@tanstack/react-query'
import type { Changed } from '../../contract/live.ts'
import type { Answer } from '../../contract/operations.ts'
import { api } from './client.ts'

export type Task = Answer<'getTask'>['task']
export type Driver = Answer<'listDrivers'>['users'][number]
export type Team = Answer<'listTeams'>['teams'][number]
export type Hub = Answer<'listHubs'>['hubs'][number]
export type Form = Answer<'listForms'>['forms'][number]
export type Reason = Answer<'listReasons'>['reasons'][number]
export type Schedule = Answer<'listSchedules'>['schedules'][number]
export type Template = Answer<'listTemplates'>['templates'][number]
export type Company = Answer<'getCompany'>['company']
export type Partner = Answer<'listPartners'>['partners'][number]

/** When the server announces a change with one of these words, `live/live.ts` fetches the data again. */
export const keysOf = {
  drivers: ['drivers'],
  teams: ['teams'],
  hubs: ['hubs'],
  webhooks: ['webhooks'],
  keys: ['keys'],
  company: ['company'],
  partners: ['partners'],
  forms: ['forms'],
  reasons: ['reasons'],
  people: ['people'],
  conflicts: ['conflicts'],
  notes: ['notes'],
  messages: ['messages'],
  scans: ['scans'],
  leftTasks: ['leftTasks'],
  cash: ['cash'],
  schedules: ['schedules'],
  templates: ['templates'],
} as const satisfies Record<Changed, readonly [Changed]>

/** Open tasks whose address is to be checked: events of tasks keep them up to date. */
export const keyOfDoubtful = ['doubtful'] as const

/** Failed tasks about which somebody has to decide: events of tasks say when to look again. */
export const keyOfToDecide = ['toDecide'] as const

const all = { staleTime: 60_000 }

/** With `refetchInterval` for pages that say who is silent: nothing happens when a driver falls silent. */
export const useDrivers = (options: { refetchInterval?: number } = {}) =>
  useQuery({
    queryKey: keysOf.drivers,
    queryFn: async () => (await api.listDrivers({ query: {} })).users,
    ...all,
    ...options,
  })
export const useTeams = () =>
  useQuery({ queryKey: keysOf.teams, queryFn: async () => (await api.listTeams()).teams, ...all })
export const useHubs = () =>
  useQuery({ queryKey: keysOf.hubs, queryFn: async () => (await api.listHubs()).hubs, ...all })
export const useForms = () =>
  useQuery({ queryKey: keysOf.forms, queryFn: async () => (await api.listForms()).forms, ...all })
export const useReasons = () =>
  useQuery({ queryKey: keysOf.reasons, queryFn: async () => (await api.listReasons()).reasons, ...all })
export const usePartners = () =>
  useQuery({ queryKey: keysOf.partners, queryFn: async () => (await api.listPartners()).partners, ...all })
export const useCompany = () =>
  useQuery({ queryKey: keysOf.company, queryFn: async () => (await api.getCompany()).company, ...all })

/** A setting of the organisation; undefined until it is known. What it forbids the server refuses, too. */
export const useSetting = <Name extends keyof Company['settings']>(name: Name): Company['settings'][Name] | undefined =>
  useCompany().data?.settings[name]
