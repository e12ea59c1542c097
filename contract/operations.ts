import { type Static, type TObject, Type } from 'typebox'
import type { ErrorCode } from './errors.ts'
import { Id, reply } from './schema.ts'
import { Task, TaskInput } from './task.ts'
import { Webhook, WebhookInput, WebhookWithSecret } from './webhook.ts'

/** What a key may be limited to. A key with `*` may do everything, also what is added later. */
export const scopes = [
  'tasks:read',
  'tasks:write',
  'drivers:read',
  'drivers:write',
  'teams:read',
  'teams:write',
  'webhooks:read',
  'webhooks:write',
  'company:read',
  'company:write',
  'keys:read',
  'keys:write',
] as const
export type Scope = (typeof scopes)[number]

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  tag: string
  summary: string
  /** What a key needs to call it. An operation without a scope is not for keys. */
  scope?: Scope
  /** Who calls it, if not the holder of a key: a driver with a token, or anybody. */
  access?: 'driver' | 'anybody'
  params?: TObject
  query?: TObject
  body?: TObject
  reply: TObject
  /** What the caller meets if an id in the path is not one of theirs. */
  missing?: ErrorCode
  /** The refusals that are this operation's own; those every operation shares are not repeated. */
  refuses: ErrorCode[]
}

/** Every endpoint there is. The server mounts this table; OpenAPI, the SDK and the tests are made from it. */
export const operations = {
  createTask: {
    method: 'POST',
    path: '/api/v1/tasks',
    tag: 'Tasks',
    summary: 'Create a task',
    scope: 'tasks:write',
    body: TaskInput,
    reply: reply({ task: Task }),
    refuses: ['AWB_TAKEN', 'INVALID_TIME', 'INVALID_TIME_WINDOW'],
  },
  createWebhook: {
    method: 'POST',
    path: '/api/v1/webHooks',
    tag: 'Webhooks',
    summary: 'Be told of one trigger by HTTP',
    scope: 'webhooks:write',
    body: WebhookInput,
    reply: reply({ webHook: WebhookWithSecret }),
    refuses: ['WEBHOOK_URL_FORBIDDEN', 'WEBHOOK_URL_NOT_VERIFIED'],
  },
  listWebhooks: {
    method: 'GET',
    path: '/api/v1/webHooks',
    tag: 'Webhooks',
    summary: 'List the webhooks',
    scope: 'webhooks:read',
    reply: reply({ webHooks: Type.Array(Webhook) }),
    refuses: [],
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/api/v1/webHooks/:webhookId',
    tag: 'Webhooks',
    summary: 'Delete a webhook and end its pending deliveries',
    scope: 'webhooks:write',
    params: Type.Object({ webhookId: Id() }),
    reply: reply({}),
    missing: 'WEBHOOK_NOT_FOUND',
    refuses: [],
  },
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationName = keyof Operations

type Part<Name extends OperationName, Key extends 'params' | 'query' | 'body'> = Operations[Name] extends {
  [key in Key]: infer Schema extends TObject
}
  ? Static<Schema>
  : undefined

export interface Input<Name extends OperationName> {
  params: Part<Name, 'params'>
  query: Part<Name, 'query'>
  body: Part<Name, 'body'>
}

/** What an operation answers beside `success`. */
export type Answer<Name extends OperationName> = Omit<Static<Operations[Name]['reply']>, 'success'>
