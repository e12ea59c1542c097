/** "Listen on every interface" is not an address a browser can open; on the machine itself, loopback is. */
const loopbackFor: Record<string, string> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

export const isEveryInterface = (host: string) => Object.hasOwn(loopbackFor, bracketed(host))

/** The address at which a browser reaches a server that listens on this host and port. */
export const webAddress = (host: string, port: number) => openable(`http://${bracketed(host)}:${port}`)

/** The same address, or one that can be opened. */
export const openable = (address: string) =>
  address.replace(/^(https?:\/\/)([^/]*?)(:\d+)?$/, (_, scheme, host, port = '') =>
    [scheme, loopbackFor[host] ?? host, port].join(''),
  )
