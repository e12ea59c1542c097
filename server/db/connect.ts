import pg from 'pg'

/*
 * The only way to the database. `DATABASE_URL` may name several hosts, as in libpq: they are tried in order,
 * beginning with the one that worked last, until one accepts writes. `pg` can do neither.
 */

const timeoutMs = 5_000

/** Which of its hosts a url led to last. */
const good = new Map<string, number>()

/** One url per host. */
export function listHosts(url: string): string[] {
  const [, start = '', authority = '', rest = ''] = /^([a-z]+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  if (authority.includes(',')) return authority.split(',').map((host) => start + host + rest)
  const query = new URLSearchParams(rest.split('?')[1])
  const hosts = query.get('host')?.split(',') ?? []
  if (hosts.length < 2) return [url]
  const ports = query.get('port')?.split(',') ?? []
  return hosts.map((host, index) => {
    query.set('host', host)
    if (ports.length > 0) query.set('port', ports[index] ?? (ports[0] as string))
    return `${start}${authority}${rest.split('?')[0]}?${query}`
  })
}

/** With `any`, the first host that answers. With several hosts the default is the one that accepts writes. */
function mustTakeWrites(url: string, hosts: string[]) {
  const [, wanted = hosts.length > 1 ? 'read-write' : 'any'] = /[?&]target_session_attrs=([^&]*)/.exec(url) ?? []
  return wanted !== 'any'
}

interface ParameterStatus {
  parameterName: string
  parameterValue: string
}

/** A client for `pg.Pool` and for ourselves. If it cannot connect, the next client tries the next host. */
export function clientFor(url: string) {
  const hosts = listHosts(url)
  const mustWrite = mustTakeWrites(url, hosts)

  return class extends pg.Client {
    static readonly hosts = hosts.length
    readonly #host = good.get(url) ?? 0
    readonly #parameters = new Map<string, string>()

    constructor(config: pg.ClientConfig = {}) {
      super({ connectionTimeoutMillis: timeoutMs, ...config, connectionString: hosts[good.get(url) ?? 0] as string })
      // A connection can break before our caller knows that it is open. An error that nobody listens for ends the
      // process, and with this the next query fails instead.
      this.on('error', () => {})
      // The server reports it unasked, so this costs nothing.
      wireOf(this).on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) =>
        this.#parameters.set(parameterName, parameterValue),
      )
    }

    async #connectToPrimary() {
      try {
        await super.connect()
        if (mustWrite && this.#isReadOnly()) throw readOnly(hosts.length)
      } catch (error) {
        this.end().catch(() => {})
        if ((good.get(url) ?? 0) === this.#host) good.set(url, (this.#host + 1) % hosts.length)
        throw error
      }
      return this
    }

    #isReadOnly() {
      return ['in_hot_standby', 'default_transaction_read_only'].some((name) => this.#parameters.get(name) === 'on')
    }

    override connect(): Promise<this>
    override connect(callback: (error?: Error) => void): void
    override connect(callback?: (error?: Error) => void) {
      const connecting = this.#connectToPrimary()
      return callback ? void connecting.then(() => callback(), callback) : connecting
    }
  }
}

const wireOf = (client: pg.ClientBase) => (client as unknown as { connection: pg.Connection }).connection

/** Breaks a connection at once, and fails what is pending. `end` would wait for answers to pipelined statements. */
export const cut = (client: pg.ClientBase) => wireOf(client).stream.destroy()

function readOnly(hosts: number) {
  const message = hosts > 1 ? 'No database host accepts writes' : 'The database does not accept writes'
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { severity: 'FATAL', code: '25006' })
}

/** A connection to the first suitable host. Pending queries fail if the connection breaks. */
export async function connectTo(url: string, config: pg.ClientConfig): Promise<pg.Client> {
  const Client = clientFor(url)
  for (let tries = 1; ; tries += 1) {
    try {
      return await new Client(config).connect()
    } catch (error) {
      if (tries >= Client.hosts) throw error
    }
  }
}
