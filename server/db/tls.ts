import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

/*
 * Whether a connection is encrypted and whom it trusts: `sslmode` and its files, as libpq means them. `pg` on its own
 * verifies the certificate for `require` and `prefer` too, and warns that it will not for ever.
 */

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

const files = ['sslrootcert', 'sslcert', 'sslkey'] as const
/** How other programs ask for the same. */
const otherNames: Record<string, Mode> = { 'no-verify': 'require', true: 'verify-full', 1: 'verify-full' }
const ours = ['ssl', 'sslmode', ...files]
/** `pg` reads it itself. */
const theirs = 'sslnegotiation'

/** For `pg.Client`: the url without what is said here, so that `pg` does not read it differently. */
export function reach(url: string): { connectionString: string; ssl: ConnectionOptions | false } {
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  const ssl = isSocket(address, parameters) ? false : readTls(parameters)
  for (const name of [...ours, 'uselibpqcompat']) parameters.delete(name)
  return { connectionString: parameters.size > 0 ? `${address}?${parameters}` : address, ssl }
}

/** PostgreSQL does not encrypt what never leaves the machine. */
const isSocket = (address: string, parameters: URLSearchParams) =>
  parameters.get('host')?.startsWith('/') || /^[a-z]+:\/\/(?:[^/?]*@)?%2f/i.test(address)

/** What the url leaves out comes from the environment (PGSSLMODE, PGSSLROOTCERT…), as in every PostgreSQL client. */
function readTls(parameters: URLSearchParams): ConnectionOptions | false {
  const given = (name: string) => parameters.get(name) || process.env[`PG${name.toUpperCase()}`] || undefined
  const stranger = [...parameters.keys()].find((name) => name.startsWith('ssl') && ![...ours, theirs].includes(name))
  if (stranger) throw new Error(`DATABASE_URL has ${stranger}, which Waybill does not know`)
  const asked = given('sslmode') ?? parameters.get('ssl') ?? (files.some(given) ? 'verify-full' : 'disable')
  const mode = otherNames[asked] ?? modes.find((one) => one === asked)
  if (!mode)
    throw new Error(`DATABASE_URL must have sslmode ${modes.join(', ')}: ${asked} may go without encryption unnoticed`)
  return mode === 'disable' ? false : trustBy(mode, given)
}

function trustBy(mode: Mode, given: (name: string) => string | undefined): ConnectionOptions {
  const root = given('sslrootcert')
  const isPublic = !root || root === 'system'
  if (mode === 'verify-ca' && isPublic)
    throw new Error('DATABASE_URL must have sslrootcert for sslmode verify-ca: anybody can get a public certificate')
  const [certificate, key] = [given('sslcert'), given('sslkey')]
  return {
    // Read for each connection, because they are replaced before they expire.
    ...(root && !isPublic && { ca: read(root) }),
    ...(certificate && { cert: read(certificate) }),
    ...(key && { key: read(key) }),
    rejectUnauthorized: mode !== 'require' || !isPublic,
    // With a root certificate `require` is `verify-ca`: whoever it signed may answer.
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

function read(path: string) {
  try {
    return readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw Object.assign(new Error(`DATABASE_URL names a file that cannot be read: ${path}`, { cause }), { code })
  }
}
