import type { linkWords as english } from '../../en/console/links.ts'
import type { Translation } from '../../say.ts'

export const linkWords = {
  onlyHere: 'Se deschide doar pe acest calculator',
  onlyInNetwork: 'Se deschide doar în rețeaua ta',
  linkOnlyHere:
    'Linkul se deschide doar pe acest calculator. Pentru a-l folosi în altă parte, setează WAYBILL_PUBLIC_URL la o adresă la care ajung și alții și repornește Waybill.',
  linkOnlyInNetwork:
    'Linkul se deschide doar în rețeaua ta. Pentru a-l folosi în altă parte, setează WAYBILL_PUBLIC_URL la o adresă publică și repornește Waybill.',
  linksOnlyHere:
    'Linkurile din mesaje se deschid doar pe acest calculator. Pentru a le folosi în altă parte, setează WAYBILL_PUBLIC_URL la o adresă la care ajung și alții și repornește Waybill.',
  linksOnlyInNetwork:
    'Linkurile din mesaje se deschid doar în rețeaua ta. Pentru a le folosi în altă parte, setează WAYBILL_PUBLIC_URL la o adresă publică și repornește Waybill.',
} as const satisfies Translation<typeof english>
