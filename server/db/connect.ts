import pg from 'pg'
import { isUntrusted } from './faults.ts'
import { hostsOf, watchKind, wireOf } from './hosts.ts'
import { reach } from './tls.ts'

/* The only way to the database. `pg` knows neither several hosts nor what libpq means by `sslmode`. */

const timeoutMs = 5_000
/** A host that has not answered by then may be gone, and we ask the others too. */
const slowMs = 1_000

/** A client for `pg.Pool` and for ourselves, of the host that is used now. If it cannot connect, ask `hosts.search`. */
export function clientFor(url: string) {
  const hosts = hostsOf(url)

  return class extends pg.Client {
    readonly place = hosts.choose()
    readonly #kindOf: ReturnType<typeof watchKind>

    constructor(config: pg.ClientConfig = {}) {
      super({ connectionTimeoutMillis: timeoutMs, ...config, ...reach(hosts.at(hosts.choose())) })
      // A connection can break before our caller knows that it is open. An error that nobody listens for ends the
      // process, and with this the next query fails instead.
      this.on('error', () => {})
      this.#kindOf = watchKind(this)
    }

    async #open() {
      const isSlow = setTimeout(() => this.#lookElsewhere(), slowMs).unref()
      try {
        await super.connect()
        if (!hosts.suits(this.place, this.#kindOf())) throw readOnly(hosts.count)
      } catch (error) {
        this.end().catch(() => {})
        throw isUntrusted(error) ? untrusted(error as Error) : error
      } finally {
        clearTimeout(isSlow)
      }
      return this
    }

    async #lookElsewhere() {
      const isElsewhere = await hosts.search(undefined).then(
        () => hosts.choose() !== this.place,
        () => false,
      )
      if (isElsewhere) cut(this)
    }

    override connect(): Promise<this>
    override connect(callback: (error?: Error) => void): void
    override connect(callback?: (error?: Error) => void) {
      const connecting = this.#open()
      return callback ? void connecting.then(() => callback(), callback) : connecting
    }
  }
}

/** Breaks a connection at once, and fails what is pending. `end` would wait for answers to pipelined statements. */
export const cut = (client: pg.ClientBase) => wireOf(client).stream.destroy()

function readOnly(hosts: number) {
  const message = hosts > 1 ? 'No database host accepts writes' : 'The database does not accept writes'
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { severity: 'FATAL', code: '25006' })
}

const untrusted = (cause: Error & { code?: string }) =>
  Object.assign(new Error(`its certificate is not accepted (${cause.message})`, { cause }), { code: cause.code })

/**
 * A connection to the host that accepts writes, or, only for reading, to the best there is. Pending queries fail if it
 * breaks.
 */
export async function connectTo(url: string, config: pg.ClientConfig, { onlyReads = false } = {}): Promise<pg.Client> {
  const hosts = hostsOf(url)
  const Client = clientFor(url)
  const open = () => new Client(config).connect()
  const client = await open().catch(async (error) => {
    await hosts.search(error)
    return open()
  })
  if (onlyReads || !hosts.isReadOnly()) return client
  await client.end()
  throw readOnly(hosts.count)
}
