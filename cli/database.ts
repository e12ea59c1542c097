import { webAddress } from '../core/web-address.ts'
import { type Acting, commandLine } from '../server/audit/record.ts'
import { type Config, readConfig } from '../server/config.ts'
import { type Database, openDatabase } from '../server/db/db.ts'
import { visitEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { listOrganisations, type OrganisationRow } from '../server/organisations/queries.ts'
import { findAddress } from '../server/people/queries.ts'
import { type Given, UsageError } from './command.ts'

const silent = () => {}

/**
 * Finds the database of this installation. The embedded one is visited if a server may be using it, or started if none
 * may.
 */
export async function withUrl<Result>(
  openEmbedded: typeof visitEmbedded,
  work: (url: string, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env)
  if (config.databaseUrl) return work(config.databaseUrl, config)
  const embedded = await openEmbedded({ folder: config.dataFolder, programs: config.postgresPrograms, log: silent })
  try {
    return await work(embedded.url, config)
  } finally {
    await embedded.stop()
  }
}

/** Works on the database of this installation, whether a server is running on it or not. */
export const withDatabase = <Result>(work: (database: Database) => Promise<Result>): Promise<Result> =>
  withUrl(visitEmbedded, async (url) => {
    const role = await migrate(url, silent)
    const database = openDatabase({ url, role, connections: 2, onIdleError: silent })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  })

/** The same, for the named organisation, or the only one. */
export const withOrganisation = <Result>(
  { options }: Given,
  work: (database: Database, organisation: OrganisationRow) => Promise<Result>,
): Promise<Result> =>
  withDatabase(async (database) => {
    const organisations = await listOrganisations(database.everyone)
    return work(database, choose(organisations, options['organisation']))
  })

/** For what the audit log will show as done here. */
export const actingOn = (database: Database, { id }: Pick<OrganisationRow, 'id'>): Acting => ({
  ...commandLine,
  db: database.of(id),
})

/** The address for links: given to this command, or saved by the server at its last start, or the default. */
export async function findPublicAddress({ everyone }: Database): Promise<string> {
  const { publicUrl, host, port } = readConfig(process.env)
  return publicUrl ?? (await findAddress(everyone)) ?? webAddress(host, port)
}

export const organisationOption = {
  organisation: { value: 'ID', means: 'The organisation; needed only if there are several' },
}

function choose(organisations: OrganisationRow[], id: string | undefined): OrganisationRow {
  const [first, ...others] = organisations
  const named = organisations.find((organisation) => String(organisation.id) === id)
  if (named) return named
  if (id !== undefined) throw new UsageError(`No organisation "${id}"; see "waybill organisations list"`)
  if (!first) throw new UsageError('No organisation yet; create one with "waybill organisations create NAME"')
  if (others.length > 0)
    throw new UsageError(
      `There are ${organisations.length} organisations; choose one with --organisation ID (see "waybill organisations list")`,
    )
  return first
}
