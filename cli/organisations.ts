import { longest } from '../contract/limits.ts'
import { commandLine } from '../server/audit/record.ts'
import { readConfig } from '../server/config.ts'
import type { Db } from '../server/db/db.ts'
import { createOrganisation } from '../server/organisations/actions.ts'
import { addPartner } from '../server/organisations/partners.ts'
import { getOrganisation, listOrganisations, type OrganisationRow } from '../server/organisations/queries.ts'
import { createShop } from '../server/organisations/shops.ts'
import { linkTo, makeLink } from '../server/people/actions.ts'
import { columns, type Given, type Noun, UsageError } from './command.ts'
import { findPublicAddress, withDatabase } from './database.ts'

const head = ['ID', 'NAME', 'COUNTRY', 'TIME ZONE', 'CURRENCY', 'CREATED']

const describe = ({ id, name, country, timezone, currency, created_at }: OrganisationRow): string[] => [
  String(id),
  name,
  country,
  timezone,
  currency,
  created_at.toISOString().slice(0, 10),
]

function choose(known: readonly OrganisationRow[], id: string): OrganisationRow {
  const found = known.find((row) => String(row.id) === id)
  if (!found) throw new UsageError(`There is no organisation ${id}. See: waybill organisations list`)
  return found
}

type Options = Given['options']

async function createAlone(db: Db, name: string, options: Options) {
  if (options['courier'] !== undefined) throw new UsageError('--courier is for a shop: add --shop')
  const { first } = readConfig(process.env)
  const { country = first.country, timezone = first.timezone, currency = first.currency } = options
  const given = { name, country, timezone, currency, first_steps: 'setUp' }
  return createOrganisation(db, given, undefined, commandLine)
}

async function createFor(db: Db, name: string, options: Options) {
  const own = ['country', 'timezone', 'currency'].find((option) => options[option] !== undefined)
  if (own) throw new UsageError(`A shop has the ${own} of its courier: leave out --${own}`)
  const { courier } = options
  if (courier === undefined)
    throw new UsageError('A shop needs its courier: add --courier ID. See: waybill organisations list')
  return createShop(db, commandLine, name, choose(await listOrganisations(db), courier).id)
}

export const organisations: Noun = {
  about: 'list and create organisations, each with its own tasks, people and keys',
  verbs: {
    list: {
      does: 'Lists the organisations.',
      run: () =>
        withDatabase(async ({ everyone }) => {
          const rows = await listOrganisations(everyone)
          return rows.length > 0 ? columns([head, ...rows.map(describe)]) : 'No organisations yet.'
        }),
    },
    partner: {
      does: 'Makes two organisations partners, so that each can give tasks to the other. Says yes for both.',
      takes: ['ID', 'ID'],
      run: ({ arguments: ids }) =>
        withDatabase(async ({ everyone, of }) => {
          const known = await listOrganisations(everyone)
          const [one, other] = ids.map((text) => choose(known, text)) as [OrganisationRow, OrganisationRow]
          if (one.id === other.id) throw new UsageError('An organisation cannot be its own partner')
          for (const [own, partner] of [
            [one, other],
            [other, one],
          ] as const) {
            const db = of(own.id)
            await addPartner({ ...commandLine, db }, await getOrganisation(db, own.id), partner.id)
          }
          return `${one.name} and ${other.name} are partners.`
        }),
    },
    create: {
      does: 'Creates an organisation with an admin and an API key. The key and a sign-in link are shown once.',
      takes: ['NAME'],
      options: {
        country: { value: 'CODE', means: 'Its country, such as RO (default: WAYBILL_COUNTRY)' },
        timezone: { value: 'ZONE', means: 'Its time zone, such as Europe/Bucharest (default: WAYBILL_TIMEZONE)' },
        currency: { value: 'CODE', means: 'Its currency, such as RON (default: WAYBILL_CURRENCY)' },
        shop: {
          means: 'A shop that leaves the driving to a courier: its new tasks are delegated, its console is simple',
        },
        courier: {
          value: 'ID',
          means: 'The organisation that a shop delegates to; country, time zone and currency are its own',
        },
      },
      run: ({ arguments: [name = ''], options, flags }) =>
        withDatabase(async (database) => {
          const { everyone } = database
          if (name.trim() === '' || name.length > longest.name)
            throw new UsageError(`NAME must be 1 to ${longest.name} characters`)
          const isShop = flags.has('shop')
          const made = await (isShop ? createFor(everyone, name, options) : createAlone(everyone, name, options))
          const address = await findPublicAddress(database)
          const link = linkTo(address, await makeLink(everyone, made.organisation.id, made.adminId))
          const delegates = isShop ? '\n\nIts new tasks are delegated to the courier, whose partner it is.' : ''
          return `${columns([head, describe(made.organisation)])}${delegates}\n\nFirst key, shown only once:\n\n  ${made.key}\n\nSign-in link for its admin (works once, for 24 hours):\n\n  ${link}\n`
        }),
    },
  },
}
