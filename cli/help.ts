import { variables } from '../server/config.ts'

const widest = Math.max(...Object.keys(variables).map((name) => name.length))

const settings = Object.entries(variables).map(
  ([name, { default: fallback, meaning }]) =>
    `  ${name.padEnd(widest)}  ${meaning}${fallback && ` (default: ${fallback})`}`,
)

export const help = `Waybill: self-hosted task dispatch.

Usage: waybill <command>

  serve            start the server: API, background work and, unless DATABASE_URL is set, its own PostgreSQL
  build            build the console ahead of the start
  demo             show a working day with invented drivers and tasks, on a server of its own
  keys             list, create, revoke and rotate the keys that call the API
  people           list and invite admins and dispatchers, make links for new passwords
  organisations    list and create organisations
  backup FILE      write everything to one file, also while the server works; --verify checks such a file
  restore FILE     bring everything back from it, into an empty database of any PostgreSQL from 15 on
  help             show this

Each shows its own help with --help. All but serve and restore also work while the server is running.

Settings come from the environment, all optional:

${settings.join('\n')}
`
