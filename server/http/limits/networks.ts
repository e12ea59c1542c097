import ipaddr from 'ipaddr.js'

/** A client with one IPv6 address has all 2^64 of its network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/** A wider one, of somebody who tries passwords: one customer of a provider often has 256 addresses, or 2^80 of IPv6. */
export function placeOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 3).join(':') : parsed.octets.slice(0, 3).join('.')
}
