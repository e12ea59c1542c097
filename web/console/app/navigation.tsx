import { Link, useNavigate } from '@tanstack/react-router'
import {
  Banknote,
  BookOpen,
  ChartColumn,
  CircleUser,
  CircleX,
  ClipboardList,
  Ellipsis,
  GitCompareArrows,
  Handshake,
  KeyRound,
  LayoutDashboard,
  LogOut,
  MessageSquare,
  PackageCheck,
  Repeat,
  ScrollText,
  Settings,
  Shield,
  Truck,
  UserCog,
  Users,
  Warehouse,
  Webhook,
} from 'lucide-react'
import { type Language, languages } from '../../../core/words/languages.ts'
import { useCompany } from '../../api/data.ts'
import { useIsShop, useMay, useSession } from '../../api/session.ts'
import { BrandMark } from '../../ui/brand.tsx'
import { join } from '../../ui/class-names.ts'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../../ui/menu.tsx'
import { useSpeak } from '../../ui/speak.ts'
import { themes, useTheme } from '../../ui/theme.tsx'
import { useSpeech } from '../../words/console.ts'
import { ConflictBadge } from '../conflicts/conflict-count.tsx'
import { useAskedSignOut } from '../pages/account/sign-out.tsx'

const places = [
  { to: '/', word: 'dispatch', Icon: LayoutDashboard, needs: 'tasks:read' },
  { to: '/conflicts', word: 'conflicts', Icon: GitCompareArrows, needs: 'tasks:read' },
  { to: '/drivers', word: 'drivers', Icon: Truck, needs: 'drivers:read' },
  { to: '/load', word: 'loadParcels', Icon: PackageCheck, needs: 'tasks:write' },
  { to: '/teams', word: 'teams', Icon: Users, needs: 'teams:read' },
  { to: '/hubs', word: 'hubs', Icon: Warehouse, needs: 'teams:read' },
  { to: '/forms', word: 'forms', Icon: ClipboardList, needs: 'company:write' },
  { to: '/schedules', word: 'schedules', Icon: Repeat, needs: 'tasks:write' },
  { to: '/reasons', word: 'reasons', Icon: CircleX, needs: 'company:write' },
  { to: '/messages', word: 'part_messages', Icon: MessageSquare, needs: 'messages:read' },
  { to: '/statistics', word: 'statistics', Icon: ChartColumn, needs: 'tasks:read' },
  { to: '/cash', word: 'cash', Icon: Banknote, needs: 'tasks:read' },
  { to: '/webhooks', word: 'webhooks', Icon: Webhook, needs: 'webhooks:read' },
  { to: '/keys', word: 'keys', Icon: KeyRound, needs: 'keys:read' },
  { to: '/partners', word: 'partners', Icon: Handshake, needs: 'company:write' },
  { to: '/people', word: 'people', Icon: UserCog, needs: 'people:read' },
  { to: '/audit', word: 'auditLog', Icon: ScrollText, needs: 'audit:read' },
  { to: '/privacy', word: 'privacy', Icon: Shield, needs: 'privacy:write' },
  { to: '/settings', word: 'settings', Icon: Settings, needs: 'company:write' },
] as const

/** What a shop needs: the driving is its partner's. */
const ofShops: readonly string[] = ['/', '/partners', '/people', '/settings']

/** On a phone these have a button of their own; the others are in a menu, by their names. Those of a shop all have one. */
const near: readonly string[] = ['/', '/conflicts', '/drivers', '/messages']

const square =
  'relative grid size-9 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-hover hover:text-ink [&_svg]:size-4.5 max-sm:size-11 max-sm:[&_svg]:size-5'
/** In a low window they stand closer. */
const closer = 'sm:min-h-7 sm:shrink'

/**
 * The navigation at the left, on a phone at the lower edge, without the pages the person's role may not open. In a window
 * too low even for closer ones the pages scroll; the person's menu stays.
 */
export function Navigation() {
  const { say } = useSpeech()
  const may = useMay()
  const isShop = useIsShop()
  const open = places
    .filter(({ to, needs }) => may(needs) && (!isShop || ofShops.includes(to)))
    .map((place) => ({ ...place, word: isShop && place.to === '/' ? ('taskList' as const) : place.word }))
  const isNear = (to: string) => (isShop ? ofShops : near).includes(to)
  return (
    <nav
      aria-label={say('navigation')}
      className="flex shrink-0 items-center gap-1 border-line bg-surface max-sm:h-14 max-sm:border-t max-sm:px-2 sm:w-13 sm:flex-col sm:border-r sm:py-2"
    >
      <Link to="/" aria-label="Waybill" className="mb-2 rounded-lg max-sm:hidden">
        <Mark />
      </Link>
      <div className="scroll-edges flex min-h-0 grow items-center gap-1 max-sm:justify-around sm:w-full sm:flex-col sm:overflow-y-auto sm:py-0.5 low:sm:gap-0 sm:[scrollbar-width:none]">
        {open.map(({ to, word, Icon }) => (
          <Link
            key={to}
            to={to}
            title={say(word)}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={join(square, closer, !isNear(to) && 'max-sm:hidden')}
            activeProps={{ className: '!bg-chosen !text-accent' }}
          >
            <Icon aria-hidden />
            <span className="sr-only">{say(word)}</span>
            {to === '/conflicts' && <ConflictBadge />}
          </Link>
        ))}
        <OtherPlaces places={open.filter(({ to }) => !isNear(to))} />
        <a
          href="/docs"
          title={say('apiReference')}
          aria-label={say('apiReference')}
          className={join(square, closer, 'mt-auto max-sm:hidden short:hidden')}
        >
          <BookOpen aria-hidden />
        </a>
      </div>
      <PersonMenu />
    </nav>
  )
}

type Place = (typeof places)[number]
type Shown = Pick<Place, 'to' | 'Icon'> & { word: Place['word'] | 'taskList' }

/** Only on a phone. */
function OtherPlaces({ places: others }: { places: readonly Shown[] }) {
  const { say } = useSpeech()
  const navigate = useNavigate()
  if (others.length === 0) return null
  return (
    <Menu
      trigger={
        <button type="button" aria-label={say('more')} title={say('more')} className={join(square, 'sm:hidden')}>
          <Ellipsis aria-hidden />
        </button>
      }
    >
      {others.map(({ to, word, Icon }) => (
        <MenuItem key={to} onSelect={() => void navigate({ to })}>
          <Icon aria-hidden />
          {say(word)}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** The organisation's logo, or ours. */
function Mark() {
  const { data: company } = useCompany()
  if (!company?.logo.startsWith('/files/')) return <BrandMark className="size-9" />
  return <img src={`${company.logo}?size=thumb`} alt="" className="size-9 rounded-lg object-contain" />
}

const themeWords = { system: 'likeTheSystem', light: 'light', dark: 'dark' } as const

function PersonMenu() {
  const { say, language } = useSpeech()
  const speak = useSpeak()
  const { person } = useSession()
  const { theme, choose } = useTheme()
  const signOut = useAskedSignOut()
  const navigate = useNavigate()
  return (
    <>
      <Menu
        trigger={
          <button type="button" aria-label={say('signedInAs', { name: person.name })} className={square}>
            <CircleUser aria-hidden />
          </button>
        }
      >
        <MenuLabel>{say('signedInAs', { name: person.email ?? person.name })}</MenuLabel>
        <MenuItem onSelect={() => void navigate({ to: '/account' })}>{say('account')}</MenuItem>
        <MenuLine />
        <MenuLabel>{say('theme')}</MenuLabel>
        {themes.map((one) => (
          <MenuChoice key={one} chosen={one === theme} onSelect={() => choose(one)}>
            {say(themeWords[one])}
          </MenuChoice>
        ))}
        <MenuLine />
        <MenuLabel>{say('language')}</MenuLabel>
        {Object.entries(languages).map(([code, { name }]) => (
          <MenuChoice key={code} chosen={code === language} onSelect={() => void speak(code as Language)}>
            {name}
          </MenuChoice>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => void signOut.begin()}>
          <LogOut aria-hidden />
          {say('signOut')}
        </MenuItem>
      </Menu>
      {signOut.question}
    </>
  )
}
