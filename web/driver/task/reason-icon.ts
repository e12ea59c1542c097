import {
  Ban,
  CalendarClock,
  CircleX,
  DoorClosed,
  LockKeyhole,
  type LucideIcon,
  MapPinX,
  PackageX,
  Pencil,
} from 'lucide-react'

/** Reasons are the organisation's own; most of them are about one of these, by what they are called. */
const icons: [RegExp, LucideIcon][] = [
  [/refus|reject|declin/, Ban],
  [/address|adres/, MapPinX],
  [/damag|broken|deterior|avari|spart/, PackageX],
  [/access|barrier|gate|entrance|no.way|interfon/, LockKeyhole],
  [/day|date|later|reschedul|postpon|amân|aman|reprogram/, CalendarClock],
  [/home|nobody|absent|answer|closed|nimeni|acas|răspund|raspund|închis/, DoorClosed],
]

/** A picture helps to find a reason again; its words say what it is. */
export function iconOf({ code, label }: { code: string; label: string }): LucideIcon {
  if (code === '') return Pencil
  const words = `${code} ${label}`.toLowerCase()
  return icons.find(([about]) => about.test(words))?.[1] ?? CircleX
}
