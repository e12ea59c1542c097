import { readConfig } from '../server/config.ts'
import { createOrganisation } from '../server/organisations/actions.ts'
import { listOrganisations, type OrganisationRow } from '../server/organisations/queries.ts'
import { addressOf, linkTo, makeLink } from '../server/people/actions.ts'
import { columns, type Noun, UsageError } from './command.ts'
import { withDatabase } from './database.ts'

const head = ['ID', 'NAME', 'COUNTRY', 'TIME ZONE', 'CURRENCY', 'CREATED']

const describe = ({ id, name, country, timezone, currency, created_at }: OrganisationRow): string[] => [
  String(id),
  name,
  country,
  timezone,
  currency,
  created_at.toISOString().slice(0, 10),
]

export const organisations: Noun = {
  about: 'list and make organisations, each with its own tasks, people and keys',
  verbs: {
    list: {
      does: 'Shows the organisations of this installation.',
      run: () =>
        withDatabase(async ({ everyone }) => {
          const rows = await listOrganisations(everyone)
          return rows.length > 0 ? columns([head, ...rows.map(describe)]) : 'There is no organisation yet.'
        }),
    },
    create: {
      does: 'Makes an organisation, its admin and a first key; the key and a link to sign in are shown this once.',
      takes: ['NAME'],
      options: {
        country: { value: 'CODE', means: 'Its country, such as RO (default: WAYBILL_COUNTRY)' },
        timezone: { value: 'ZONE', means: 'Its time zone, such as Europe/Bucharest (default: WAYBILL_TIMEZONE)' },
        currency: { value: 'CODE', means: 'Its currency, such as RON (default: WAYBILL_CURRENCY)' },
      },
      run: ({ arguments: [name = ''], options }) =>
        withDatabase(async ({ everyone }) => {
          if (name.trim() === '' || name.length > 120) throw new UsageError('NAME must be 1 to 120 characters')
          const config = readConfig(process.env)
          const { first } = config
          const { country = first.country, timezone = first.timezone, currency = first.currency } = options
          const made = await createOrganisation(everyone, { name, country, timezone, currency })
          const link = linkTo(addressOf(config), await makeLink(everyone, made.organisation.id, made.adminId))
          return `${columns([head, describe(made.organisation)])}\n\nIts first key, shown only now:\n\n  ${made.key}\n\nIts admin begins here, once, within 24 hours:\n\n  ${link}\n`
        }),
    },
  },
}
