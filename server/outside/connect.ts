import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import { errorCode, OutsideError } from './fault.ts'

export interface Target {
  secure: boolean
  hostname: string
  port: number
}

export async function openSocket(
  { secure, hostname, port }: Target,
  address: string,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = secure
    ? tls.connect({ host: address, port, ...certificateName(hostname), ALPNProtocols: ['http/1.1'] })
    : net.connect({ host: address, port })
  // An error before undici adds its own listener must not end the process.
  socket.on('error', () => {})
  socket.setNoDelay(true).setKeepAlive(true, 60_000)
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** The certificate must match the name in the url. TLS server names are never addresses and never end with a dot. */
function certificateName(hostname: string): { servername?: string } {
  return net.isIP(hostname) ? {} : { servername: hostname.replace(/\.$/, '') }
}

const certificateProblems: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'does not send its intermediate certificates',
  CERT_HAS_EXPIRED: 'has an expired certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS (is it http:// rather than https://?)',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS (is it http:// rather than https://?)',
}

export function explainConnectFailure(error: unknown, { secure, hostname, port }: Target): OutsideError {
  const where = net.isIPv6(hostname) ? `[${hostname}]:${port}` : `${hostname}:${port}`
  const code = errorCode(error)
  switch (code) {
    case 'ECONNREFUSED':
      return new OutsideError('refused', `${where} refused the connection`, error)
    case 'ECONNRESET':
      return new OutsideError('reset', `${where} closed the connection before it was ready`, error)
    case 'ETIMEDOUT':
    case 'ABORT_ERR':
      return new OutsideError('timeout', `${where} did not accept the connection in time`, error)
  }
  const problem = certificateProblems[code]
  if (problem) return new OutsideError('tls', `${where} ${problem}`, error)
  if (secure && /^(ERR_SSL|ERR_TLS|CERT_|UNABLE_|EPROTO)/.test(code)) {
    return new OutsideError('tls', `${where} failed the TLS handshake (${code})`, error)
  }
  return new OutsideError('unreachable', `${where} cannot be reached (${code})`, error)
}
