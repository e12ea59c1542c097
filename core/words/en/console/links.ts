import type { Texts } from '../../say.ts'

/** Who can open a link that was made for others. */
export const linkWords = {
  onlyHere: 'Opens only on this computer',
  onlyInNetwork: 'Opens only in your network',
  linkOnlyHere:
    'This link opens only on this computer. To use it elsewhere, set WAYBILL_PUBLIC_URL to an address that others can reach and restart Waybill.',
  linkOnlyInNetwork:
    'This link opens only inside your network. To use it elsewhere, set WAYBILL_PUBLIC_URL to a public address and restart Waybill.',
  linksOnlyHere:
    'The links in messages open only on this computer. To use them elsewhere, set WAYBILL_PUBLIC_URL to an address that others can reach and restart Waybill.',
  linksOnlyInNetwork:
    'The links in messages open only inside your network. To use them elsewhere, set WAYBILL_PUBLIC_URL to a public address and restart Waybill.',
} as const satisfies Texts
