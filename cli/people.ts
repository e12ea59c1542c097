import { Refusal } from '../contract/errors.ts'
import { PersonInput, roles } from '../contract/person.ts'
import { reader } from '../contract/read/reader.ts'
import type { Database } from '../server/db/db.ts'
import type { OrganisationRow } from '../server/organisations/queries.ts'
import { changeSuperAdmin, type Invited, invitePerson, linkTo, renewLink } from '../server/people/actions.ts'
import { roleOf } from '../server/people/present.ts'
import { listPeople, type PersonRow } from '../server/people/queries.ts'
import { columns, type Noun, UsageError } from './command.ts'
import { actingOn, findPublicAddress, organisationOption, withOrganisation } from './database.ts'

const readPerson = reader(PersonInput)

/** Anyone who can run commands on this machine may grant everything. */
const everything = ['*']

export const people: Noun = {
  about: 'list and invite admins and dispatchers',
  verbs: {
    list: {
      does: 'Lists admins and dispatchers.',
      options: organisationOption,
      run: (given) =>
        withOrganisation(given, async (database, { id }) =>
          columns([head, ...(await listPeople(database.of(id), id)).map(describe)]),
        ),
    },
    invite: {
      does: 'Adds a person and shows, once, the link to set a password.',
      options: {
        email: { value: 'ADDRESS', means: 'Email to sign in with' },
        name: { value: 'NAME', means: 'Their name (default: the part before the @)' },
        role: { value: 'ROLE', means: `${Object.keys(roles).join(' or ')} (default: dispatcher)` },
        ...organisationOption,
      },
      run: (given) => {
        const { email, name, role } = given.options
        if (email === undefined) throw new UsageError('Missing option: --email ADDRESS')
        const input = readPerson({ email, name, role })
        return withOrganisation(given, async (database, organisation) => {
          const { id } = organisation
          const invited = await invitePerson(actingOn(database, organisation), id, everything, input)
          return reveal(invited, organisation, await findPublicAddress(database))
        })
      },
    },
    reset: {
      does: 'Creates a new link to set a password and shows it once.',
      takes: ['EMAIL_OR_ID'],
      options: organisationOption,
      run: (given) =>
        withOrganisation(given, async (database, organisation) => {
          const { id } = organisation
          const person = await getPerson(database, organisation, given.arguments[0] as string)
          const invited = await renewLink(actingOn(database, organisation), id, everything, person.id)
          return reveal(invited, organisation, await findPublicAddress(database))
        }),
    },
    superadmin: {
      does: 'Lets an admin see the installation: its version, its database, and how much is in it.',
      takes: ['EMAIL_OR_ID'],
      options: { off: { means: 'No longer' }, ...organisationOption },
      run: (given) =>
        withOrganisation(given, async (database, organisation) => {
          const person = await getPerson(database, organisation, given.arguments[0] as string)
          const by = actingOn(database, organisation)
          const isSuperAdmin = !given.flags.has('off')
          const changed = await changeSuperAdmin(by, organisation.id, person.id, isSuperAdmin)
          const says = isSuperAdmin ? 'sees the installation' : 'no longer sees the installation'
          return `${changed.name} (${changed.email ?? changed.id}) ${says}\n`
        }),
    },
  },
}

async function getPerson(database: Database, { id, name }: OrganisationRow, emailOrId: string): Promise<PersonRow> {
  const wanted = emailOrId.toLowerCase()
  const people = await listPeople(database.of(id), id)
  const person = people.find((one) => one.email?.toLowerCase() === wanted || String(one.id) === wanted)
  if (!person)
    throw new Refusal('PERSON_NOT_FOUND', { message: `No such person in ${name}; see "waybill people list"` })
  return person
}

const head = ['ID', 'NAME', 'E-MAIL', 'ROLE', 'STATE']

const describe = (person: PersonRow): string[] => [
  String(person.id),
  person.name,
  person.email ?? '-',
  roleOf(person),
  person.has_password ? 'can sign in' : 'has not used the link yet',
]

const reveal = ({ person, link }: Invited, { name }: OrganisationRow, address: string) =>
  `${columns([head, describe(person)])}\n\nLink for ${name}, shown only once (works once, for 24 hours):\n\n  ${linkTo(address, link)}\n`
