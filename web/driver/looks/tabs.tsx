import { CircleUserRound, type LucideIcon, Map as MapIcon, Route } from 'lucide-react'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { screens } from './screen.ts'

const tabs = [
  ['route', screens.route, Route, 'tabRoute'],
  ['map', screens.map, MapIcon, 'map'],
  ['me', screens.me, CircleUserRound, 'tabMe'],
] as const

export function Tabs({ chosen }: { chosen: (typeof tabs)[number][0] }) {
  const say = useSay()
  return (
    <nav
      aria-label={say('navigation')}
      className="flex border-line border-t bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      {tabs.map(([name, href, Icon, word]) => (
        <Tab key={name} href={href} Icon={Icon} isChosen={name === chosen}>
          {say(word)}
        </Tab>
      ))}
    </nav>
  )
}

interface Props {
  href: string
  Icon: LucideIcon
  isChosen: boolean
  children: string
}

/** On a low screen the word stands beside its icon. */
const Tab = ({ href, Icon, isChosen, children }: Props) => (
  <a
    href={href}
    aria-current={isChosen ? 'page' : undefined}
    className={join(
      'flex min-h-16.5 flex-1 flex-col items-center justify-center gap-1 font-semibold text-mark',
      '[@media(max-height:700px)]:min-h-13 [@media(max-height:700px)]:flex-row [@media(max-height:700px)]:flex-wrap [@media(max-height:700px)]:gap-x-1.5 [@media(max-height:700px)]:gap-y-0',
      isChosen ? 'text-given' : 'text-ink-soft',
    )}
  >
    <span
      className={join(
        'grid h-8 w-14 place-items-center rounded-full [@media(max-height:700px)]:w-11',
        isChosen && 'bg-chosen',
      )}
    >
      <Icon aria-hidden className="size-6" />
    </span>
    {children}
  </a>
)
