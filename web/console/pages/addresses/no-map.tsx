import { useSay } from '../../../words/console.ts'

/** In the map's place, where the browser cannot draw one: addresses are still corrected by text and coordinates. */
export default function NoMap(_: unknown) {
  const say = useSay()
  return <p className="rounded-lg bg-sunken p-4 text-ink-soft">{say('noMap')}</p>
}
