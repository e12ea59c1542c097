import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { reach } from './tls.ts'

/*
 * `DATABASE_URL` may name several hosts, as in libpq. We stay with the one that worked last. If it fails, is slow or
 * accepts no writes, all of them are asked at once, and the first that accepts writes is used. If there is none, what can
 * be read is read: from a primary that accepts no writes, or from a standby, which may be a little behind. Then we look
 * again every second. Everybody who has to look waits for the same answers.
 */

/** What a host can be used for, best first. */
const kinds = ['writing', 'reading', 'standby'] as const
export type Kind = (typeof kinds)[number]

/** What the others get after the first has answered. */
const graceMs = 500
const lookAgainMs = 1_000
const patienceMs = 4_000

export type Hosts = ReturnType<typeof openHosts>

const opened = new Map<string, Hosts>()
/** Everything that uses a url knows the same. */
export const hostsOf = (url: string): Hosts => opened.getOrInsertComputed(url, openHosts)

function openHosts(url: string) {
  const urls = listHosts(url)
  const [, wanted = urls.length > 1 ? 'read-write' : 'any'] = /[?&]target_session_attrs=([^&]*)/.exec(url) ?? []
  const takesAny = wanted === 'any'
  let current = 0
  /** Whether, when we last looked, no host accepted writes. */
  let isReadOnly = false
  let lookedAt = 0
  let looking: Promise<void> | undefined

  async function look() {
    const found = await findBest(urls, (kind) => takesAny || kind === 'writing')
    current = found.host
    isReadOnly = !takesAny && found.kind !== 'writing'
    lookedAt = performance.now()
  }

  /** Finds the best host. If none answers, it fails with what led here. */
  async function search(cause: unknown) {
    if (takesAny && urls.length === 1) throw cause
    looking ??= look().finally(() => {
      looking = undefined
    })
    await looking.catch(() => {
      throw cause
    })
  }

  return {
    count: urls.length,
    /** The url of one of them. */
    at: (host: number) => urls[host] as string,
    /** The number of the host to use. */
    choose() {
      if (isReadOnly && performance.now() - lookedAt > lookAgainMs) search(undefined).catch(() => {})
      return current
    },
    isReadOnly: () => isReadOnly,
    /** Whether a connection to this host is what we want, or the best there is. */
    suits(host: number, kind: Kind) {
      if (host === current && kind === 'writing') isReadOnly = false
      return takesAny || kind === 'writing' || isReadOnly
    },
    search,
  }
}

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

interface Found {
  host: number
  kind: Kind
}

/** All at once: a host that drops what we send would make the others wait. */
async function findBest(urls: string[], suits: (kind: Kind) => boolean): Promise<Found> {
  const found: Found[] = []
  const answers = urls.map(async (url, host) => {
    const kind = await ask(url)
    found.push({ host, kind })
    return kind
  })
  const suitable = answers.map(async (answer) => {
    const kind = await answer
    if (!suits(kind)) throw new Error(`This host is for ${kind}`)
  })
  const enough = Promise.any(answers).then(() => sleep(graceMs, undefined, { ref: false }))
  await Promise.race([Promise.any(suitable), enough]).catch(() => {})
  const best = found.sort((one, other) => rankOf(one) - rankOf(other))[0]
  if (!best) throw new Error('No database host answers')
  return best
}

const rankOf = ({ kind }: Found) => kinds.indexOf(kind)

async function ask(url: string): Promise<Kind> {
  const client = new pg.Client({
    ...reach(url),
    application_name: 'waybill look',
    connectionTimeoutMillis: patienceMs,
  })
  client.on('error', () => {})
  const kindOf = watchKind(client)
  try {
    await client.connect()
    return kindOf()
  } finally {
    client.end().catch(() => {})
  }
}

interface ParameterStatus {
  parameterName: string
  parameterValue: string
}

/** The server reports it unasked, when we connect and when it changes, so this costs nothing. */
export function watchKind(client: pg.Client): () => Kind {
  const isOn = new Map<string, boolean>()
  wireOf(client).on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) =>
    isOn.set(parameterName, parameterValue === 'on'),
  )
  return () =>
    isOn.get('in_hot_standby') ? 'standby' : isOn.get('default_transaction_read_only') ? 'reading' : 'writing'
}

export const wireOf = (client: pg.ClientBase) => (client as unknown as { connection: pg.Connection }).connection
