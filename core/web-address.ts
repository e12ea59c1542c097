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

/** Who can open a link: everyone, only those in the same network, or only this machine. */
export type Reach = 'everyone' | 'network' | 'machine'

const machine = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/
const network =
  /^(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|\[f[cd][\da-f:]+\]|\[fe[89ab][\da-f:]+\]|[^.[\]]+|.*\.(local|lan|internal|home\.arpa))$/

/** Judged by the host alone: nobody is asked. */
export function reachOf(link: string): Reach {
  const host = URL.parse(link)?.hostname.toLowerCase() ?? ''
  if (machine.test(host)) return 'machine'
  return network.test(host) ? 'network' : 'everyone'
}
