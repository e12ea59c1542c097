import type { Static } from 'typebox'
import { Company } from './company.ts'
import { longest, shortestPassword } from './limits.ts'
import { Id, Name, Nullable, Secret, Text, Time } from './schema.ts'
import { type Scope, scopes } from './scopes.ts'
import { Type } from './type.ts'

const notForDispatchers: readonly Scope[] = [
  'tasks:correct',
  'keys:read',
  'keys:write',
  'people:read',
  'people:write',
  'company:write',
  'webhooks:write',
  'audit:read',
  'privacy:write',
]

/** What each role allows, as scopes. */
export const roles = {
  admin: ['*'],
  dispatcher: scopes.filter((scope) => !notForDispatchers.includes(scope)),
} as const satisfies Record<string, readonly string[]>
export type Role = keyof typeof roles

const Role = Type.Unsafe<Role>(Type.String({ enum: Object.keys(roles) }))

const EmailAddress = Type.String({
  maxLength: longest.email,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'Unique in this installation; letter case does not matter',
  'x-email': true,
  'x-rule': `must be an email address of at most ${longest.email} characters`,
})

const Password = Type.String({
  minLength: shortestPassword,
  maxLength: longest.password,
  description: `At least ${shortestPassword} characters, not the email address, and not one of the most common passwords`,
  'x-rule': `must be ${shortestPassword} to ${longest.password} characters long`,
})
const GivenPassword = Text(longest.password)

export const Person = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    email: Nullable(Type.String({ description: 'Null until the first admin chooses one' })),
    role: Role,
    superAdmin: Type.Boolean({ description: 'Whether they see the installation; set on the command line' }),
    hasPassword: Type.Boolean({ description: 'Whether they have used their link and can sign in' }),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Person' },
)
export type Person = Static<typeof Person>

export const PersonInput = Type.Object(
  {
    email: EmailAddress,
    name: Type.Optional(Name({ description: 'Defaults to the part before the @' })),
    role: Type.Optional(Role),
  },
  { title: 'PersonInput' },
)
export type PersonInput = Static<typeof PersonInput>

export const PersonUpdate = Type.Object(
  { name: Type.Optional(Name()), role: Type.Optional(Role) },
  { title: 'PersonUpdate' },
)
export type PersonUpdate = Static<typeof PersonUpdate>

/** The response that contains a new link. */
export const linkFields = {
  link: Secret('Where the person sets a password. It works once and is shown only once'),
  expiresAt: Time(),
}

/** Who is signed in, and what they may do. */
export const signedInFields = {
  person: Person,
  company: Company,
  scopes: Type.Array(Type.String(), { description: 'What the role allows; `*` is everything' }),
}

export const SignIn = Type.Object({ email: Text(longest.email), password: GivenPassword }, { title: 'SignIn' })
export type SignIn = Static<typeof SignIn>

const linkToken = Text(longest.secret, { description: 'The part of the link after the #' })

export const LinkToken = Type.Object({ token: linkToken }, { title: 'LinkToken' })
export type LinkToken = Static<typeof LinkToken>

/** Whose link it is, for a page that greets them. */
export const linkOwnerFields = {
  person: Type.Object({
    name: Type.String(),
    email: Nullable(Type.String({ description: 'Null for the first admin, who chooses one' })),
  }),
  company: Type.Object({ name: Type.String() }),
  expiresAt: Time(),
}

export const PasswordByLink = Type.Object(
  {
    token: linkToken,
    password: Password,
    email: Type.Optional(EmailAddress),
    name: Type.Optional(Name()),
  },
  { title: 'PasswordByLink' },
)
export type PasswordByLink = Static<typeof PasswordByLink>

export const PasswordChange = Type.Object(
  { currentPassword: GivenPassword, password: Password },
  { title: 'PasswordChange' },
)
export type PasswordChange = Static<typeof PasswordChange>
