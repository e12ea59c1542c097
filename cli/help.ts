import { variables } from '../server/config.ts'

const widest = Math.max(...Object.keys(variables).map((name) => name.length))

const settings = Object.entries(variables).map(
  ([name, { default: fallback, meaning }]) =>
    `  ${name.padEnd(widest)}  ${meaning}${fallback && ` (default: ${fallback})`}`,
)

export const help = `Waybill: self-hosted task dispatch.

Usage: waybill <command>

  serve            start the server: API, background work and (without DATABASE_URL) an embedded PostgreSQL
  build            build the console ahead of the start
  demo             simulate a working day on a separate demo server
  keys             list, create, revoke and rotate API keys
  people           list and invite admins and dispatchers, create password links
  organisations    list and create organisations
  backup FILE      write everything to one file, even while the server runs; --verify checks it
  restore FILE     restore a backup into an empty database (PostgreSQL 15 or newer)
  check            check that money adds up, over the whole database
  map              show the imported map; import one from an extract of OpenStreetMap, or remove it
  places           import addresses with coordinates from OpenAddresses or a table of your own
  remove           delete this installation whole, after asking: data folder, files and database; or databases left behind
  sbom             print a software bill of materials (CycloneDX)
  help [COMMAND]   show this, or the help of a command

Every command has --help. All except serve, restore and remove also work while the server is running.

Settings come from the environment, all optional:

${settings.join('\n')}
`
