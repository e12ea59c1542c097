/** What a key may be limited to. A key with `*` may do everything, also what is added later. */
export const scopes = [
  'tasks:read',
  'tasks:write',
  'drivers:read',
  'drivers:write',
  'teams:read',
  'teams:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'webhooks:send',
  'company:read',
  'company:write',
  'keys:read',
  'keys:write',
  'people:read',
  'people:write',
] as const
export type Scope = (typeof scopes)[number]

/** The scopes that are wanted but not had. */
export const lackingScopes = (has: readonly string[], wanted: readonly string[]): string[] =>
  has.includes('*') ? [] : wanted.filter((scope) => !has.includes(scope))
