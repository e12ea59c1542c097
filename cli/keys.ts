import { KeyInput, KeyRotation } from '../contract/key.ts'
import { reader } from '../contract/read/reader.ts'
import { scopes } from '../contract/scopes.ts'
import { issueKey, revokeKey, rotateKey } from '../server/organisations/actions.ts'
import { type IssuedKey, type KeyRow, listKeys, type OrganisationRow } from '../server/organisations/queries.ts'
import { columns, type Given, type Noun, UsageError } from './command.ts'
import { actingOn, organisationOption, withOrganisation } from './database.ts'

const readKey = reader(KeyInput)
const readRotation = reader(KeyRotation)

/** Anyone who can run commands on this machine may grant everything. */
const everything = ['*']

export const keys: Noun = {
  about: 'create, list, replace and revoke API keys',
  verbs: {
    list: {
      does: 'Lists API keys, without their secrets.',
      options: organisationOption,
      run: (given) =>
        withOrganisation(given, async (database, { id, name }) => {
          const rows = await listKeys(database.of(id), id)
          return rows.length > 0 ? columns([head, ...rows.map(describe)]) : `${name} has no keys.`
        }),
    },
    create: {
      does: 'Creates an API key and shows it once.',
      takes: ['NAME'],
      options: {
        scopes: { value: 'LIST', means: 'Its scopes, separated by commas (default: all)' },
        'expires-at': {
          value: 'TIME',
          means: 'When it expires: "YYYY-MM-DD HH:MM:SS" in the organisation’s time zone',
        },
        ...organisationOption,
      },
      more: `Scopes:\n\n${columns([...Map.groupBy(scopes, (scope) => scope.split(':')[0]).values()])}`,
      run: (given) =>
        withOrganisation(given, async (database, organisation) => {
          const { scopes, 'expires-at': expiresAt } = given.options
          const input = readKey({ name: given.arguments[0], scopes: scopes?.split(/[\s,]+/), expiresAt })
          return reveal(await issueKey(actingOn(database, organisation), organisation, everything, input), organisation)
        }),
    },
    revoke: {
      does: 'Revokes a key. It stops working within a second.',
      takes: ['KEY_ID'],
      options: organisationOption,
      run: (given) =>
        withOrganisation(given, async (database, organisation) => {
          const keyId = readKeyId(given)
          await revokeKey(actingOn(database, organisation), organisation.id, everything, keyId)
          return `Key ${keyId} revoked.`
        }),
    },
    rotate: {
      does: 'Replaces a key with a new one. The old one keeps working for a while.',
      takes: ['KEY_ID'],
      options: {
        'overlap-hours': { value: 'HOURS', means: 'How long the old key keeps working (default: 24)' },
        ...organisationOption,
      },
      run: (given) =>
        withOrganisation(given, async (database, organisation) => {
          const input = readRotation({ overlapHours: given.options['overlap-hours'] })
          const { id } = organisation
          return reveal(
            await rotateKey(actingOn(database, organisation), id, everything, readKeyId(given), input),
            organisation,
          )
        }),
    },
  },
}

function readKeyId({ arguments: [text = ''] }: Given): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`"${text}" is not a key id; see "waybill keys list"`)
  return Number(text)
}

const head = ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'STATE']

const describe = (key: KeyRow): string[] => [
  String(key.id),
  key.name,
  describeScopes(key),
  describeTime(key.created_at),
  key.last_used_at ? describeTime(key.last_used_at) : 'never',
  describeState(key),
]

const describeScopes = ({ scopes }: KeyRow) => (scopes.includes('*') ? 'everything' : scopes.join(' '))

const describeTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`

function describeState({ revoked_at, expires_at, replaced_by }: KeyRow): string {
  if (revoked_at) return `revoked ${describeTime(revoked_at)}`
  const replaced = replaced_by === null ? '' : `, replaced by ${replaced_by}`
  if (!expires_at) return 'works'
  const verb = expires_at.getTime() <= Date.now() ? 'expired' : 'works until'
  return `${verb} ${describeTime(expires_at)}${replaced}`
}

const reveal = (key: IssuedKey, { name }: OrganisationRow) =>
  `${columns([head, describe(key)])}\n\nKey for ${name}, shown only once:\n\n  ${key.secret}\n`
