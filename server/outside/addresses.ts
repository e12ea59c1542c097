import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { OutsideError } from './fault.ts'

export interface OutsidePolicy {
  /** Private ranges (10.0.0.0/8) or single addresses that may be reached. */
  allow: string[]
  /** Whether this machine itself may be reached, for trying things out on one laptop. */
  loopback: boolean
  /** 2,048 characters if not given: the limit for urls that are stored. */
  longestUrl?: number
}

const usualLongestUrl = 2_048

/**
 * For the engines (travel times, geocoding) set up by the operator, which may run on this machine or in its network.
 * Never for an address given by an organisation. Long urls, because a table of travel times has all its places in one.
 */
export const enginePolicy: OutsidePolicy = { allow: ['0.0.0.0/0', '::/0'], loopback: true, longestUrl: 8_000 }

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Says why an address may not be reached, or undefined if it may. */
export type AddressJudge = (address: string) => string | undefined

const globalUnicast = ipaddr.parseCIDR('2000::/3')
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')
/** ISATAP (RFC 5214): in any network, the lower half is `0:5efe` or `200:5efe` and an IPv4 address. */
const isIsatap = ({ parts }: ipaddr.IPv6) => ((parts[4] as number) & ~0x200) === 0 && parts[5] === 0x5efe
/** Looks public, but inside Azure it is the host that serves a machine's configuration. */
const azureHost = ipaddr.parseCIDR('168.63.129.16/32')

const rangeNames: Record<string, string> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  carrierGradeNat: 'a private address',
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'an unspecified address',
}

export function createAddressJudge({ allow, loopback }: OutsidePolicy): AddressJudge {
  const allowed = allow.map(parseRange)
  return (text) => {
    const address = ipaddr.process(canonical(text))
    if (loopback && address.range() === 'loopback') return undefined
    if (isPublic(address) || allowed.some((range) => isWithin(address, range))) return undefined
    return rangeNames[address.range()] ?? 'an address reserved for special use'
  }
}

/** One spelling per address: ipaddr.js reads `::8.8.8.8` as the IPv4 address inside it, but not `::808:808`. */
function canonical(address: string): string {
  const url = net.isIPv6(address) ? URL.parse(`http://[${address.replace(/%.*$/, '')}]`) : null
  return url ? withoutBrackets(url.hostname) : address
}

/** Only addresses known to be public, and no tunnels with an IPv4 address inside (6to4, Teredo, ISATAP …). */
function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !isWithin(address, azureHost)
  // Networks without IPv4 reach every IPv4 address through this prefix, so the address inside decides.
  if (isWithin(address, nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return address.range() === 'unicast' && isWithin(address, globalUnicast) && !isIsatap(address)
}

function isWithin(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}

function parseRange(text: string): Range {
  const [address = ''] = text.split('/')
  const range = address === text ? `${text}/${net.isIPv6(text) ? 128 : 32}` : text
  // ipaddr.js alone would read 10/8 as 0.0.0.10/8.
  if (net.isIP(address) && ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range)
  throw new Error(`"${text}" is not a range of addresses such as 10.0.0.0/8`)
}

export function judgeUrl(forbids: AddressJudge, text: string, longestUrl = usualLongestUrl): URL {
  if (text.length > longestUrl) throw new OutsideError('invalid', `The URL is longer than ${longestUrl} characters`)
  const url = URL.parse(text)
  if (!url) throw new OutsideError('invalid', 'This is not a complete URL such as https://example.com/hook')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutsideError('invalid', `The URL must start with https:// or http://, not ${url.protocol}`)
  }
  if (url.username || url.password) {
    throw new OutsideError('invalid', 'The URL must not contain a user name or password')
  }
  // The URL parser has already turned 0x7f.1, 017700000001 and the like into plain addresses.
  const hostname = withoutBrackets(url.hostname)
  const reason = net.isIP(hostname) ? forbids(hostname) : undefined
  if (reason) throw new OutsideError('forbidden', describeForbidden(hostname, reason))
  return url
}

/** Never says which address a name has: strangers could use that to explore our internal network. */
export function describeForbidden(hostname: string, reason: string): string {
  const verb = net.isIP(hostname) ? 'is' : 'leads to'
  return `${hostname} ${verb} ${reason}, which this server may not call`
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
