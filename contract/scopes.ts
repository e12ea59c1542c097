/** What a key can be limited to. A key with `*` can do everything, including what is added later. */
export const scopes = [
  'tasks:read',
  'tasks:write',
  'tasks:correct',
  'cash:write',
  'drivers:read',
  'drivers:write',
  'teams:read',
  'teams:write',
  'files:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'webhooks:send',
  'messages:read',
  'messages:write',
  'company:read',
  'company:write',
  'keys:read',
  'keys:write',
  'people:read',
  'people:write',
  'audit:read',
  'privacy:write',
] as const
export type Scope = (typeof scopes)[number]

/** The wanted scopes that are missing. */
export const lackingScopes = (has: readonly string[], wanted: readonly string[]): string[] =>
  has.includes('*') ? [] : wanted.filter((scope) => !has.includes(scope))
