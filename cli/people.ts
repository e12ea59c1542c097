import { Refusal } from '../contract/errors.ts'
import { PersonInput, roles } from '../contract/person.ts'
import { reader } from '../contract/schema.ts'
import { readConfig } from '../server/config.ts'
import type { OrganisationRow } from '../server/organisations/queries.ts'
import { addressOf, type Invited, invitePerson, linkTo, renewLink } from '../server/people/actions.ts'
import { roleOf } from '../server/people/present.ts'
import { listPeople, type PersonRow } from '../server/people/queries.ts'
import { columns, type Noun, UsageError } from './command.ts'
import { organisationOption, withOrganisation } from './database.ts'

const readPerson = reader(PersonInput)

/** Whoever can run commands on this machine may hand out everything. */
const everything = ['*']

export const people: Noun = {
  about: 'list and invite those who sign in: admins and dispatchers',
  verbs: {
    list: {
      does: 'Shows the admins and dispatchers.',
      options: organisationOption,
      run: (given) =>
        withOrganisation(given, async (database, { id }) =>
          columns([head, ...(await listPeople(database.of(id), id)).map(describe)]),
        ),
    },
    invite: {
      does: 'Adds a person and shows the link by which they choose a password, this once.',
      options: {
        email: { value: 'ADDRESS', means: 'What they will sign in with' },
        name: { value: 'NAME', means: 'Their name (default: what stands before the @)' },
        role: { value: 'ROLE', means: `${Object.keys(roles).join(' or ')} (default: dispatcher)` },
        ...organisationOption,
      },
      run: (given) => {
        const { email, name, role } = given.options
        if (email === undefined) throw new UsageError('Say whom: --email ADDRESS')
        const input = readPerson({ email, name, role })
        return withOrganisation(given, async (database, organisation) => {
          const { id } = organisation
          return reveal(await invitePerson(database.of(id), id, everything, input), organisation)
        })
      },
    },
    reset: {
      does: 'Makes a new link for a person who lost theirs or forgot the password, and shows it, this once.',
      takes: ['EMAIL_OR_ID'],
      options: organisationOption,
      run: (given) =>
        withOrganisation(given, async (database, organisation) => {
          const { id } = organisation
          const db = database.of(id)
          const wanted = (given.arguments[0] as string).toLowerCase()
          const person = (await listPeople(db, id)).find(
            (one) => one.email?.toLowerCase() === wanted || String(one.id) === wanted,
          )
          if (!person)
            throw new Refusal('PERSON_NOT_FOUND', {
              message: `Nobody signs in to ${organisation.name} with that; "waybill people list" shows who does`,
            })
          return reveal(await renewLink(db, id, everything, person.id), organisation)
        }),
    },
  },
}

const head = ['ID', 'NAME', 'E-MAIL', 'ROLE', 'STATE']

const describe = (person: PersonRow): string[] => [
  String(person.id),
  person.name,
  person.email ?? '-',
  roleOf(person),
  person.has_password ? 'can sign in' : 'has not used the link yet',
]

const reveal = ({ person, link }: Invited, { name }: OrganisationRow) =>
  `${columns([head, describe(person)])}\n\nThe link to ${name}, good once and within 24 hours, shown only now:\n\n  ${linkTo(addressOf(readConfig(process.env)), link)}\n`
