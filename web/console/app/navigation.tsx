import { Link, useNavigate } from '@tanstack/react-router'
import {
  BookOpen,
  ChartColumn,
  CircleUser,
  CircleX,
  ClipboardList,
  GitCompareArrows,
  KeyRound,
  LayoutDashboard,
  LogOut,
  MessageSquare,
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
import { useMay, useSession, useSignOut } from '../../api/session.ts'
import { BrandMark } from '../../ui/brand.tsx'
import { join } from '../../ui/class-names.ts'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../../ui/menu.tsx'
import { useSpeak } from '../../ui/speak.ts'
import { themes, useTheme } from '../../ui/theme.tsx'
import { useSpeech } from '../../words/console.ts'
import { ConflictBadge } from '../conflicts/conflict-count.tsx'

const places = [
  { to: '/', word: 'dispatch', Icon: LayoutDashboard, needs: 'tasks:read' },
  { to: '/conflicts', word: 'conflicts', Icon: GitCompareArrows, needs: 'tasks:read' },
  { to: '/drivers', word: 'drivers', Icon: Truck, needs: 'drivers:read' },
  { to: '/teams', word: 'teams', Icon: Users, needs: 'teams:read' },
  { to: '/hubs', word: 'hubs', Icon: Warehouse, needs: 'teams:read' },
  { to: '/forms', word: 'forms', Icon: ClipboardList, needs: 'company:write' },
  { to: '/reasons', word: 'reasons', Icon: CircleX, needs: 'company:write' },
  { to: '/messages', word: 'part_messages', Icon: MessageSquare, needs: 'messages:read' },
  { to: '/statistics', word: 'statistics', Icon: ChartColumn, needs: 'tasks:read' },
  { to: '/webhooks', word: 'webhooks', Icon: Webhook, needs: 'webhooks:read' },
  { to: '/keys', word: 'keys', Icon: KeyRound, needs: 'keys:read' },
  { to: '/people', word: 'people', Icon: UserCog, needs: 'people:read' },
  { to: '/audit', word: 'auditLog', Icon: ScrollText, needs: 'audit:read' },
  { to: '/privacy', word: 'privacy', Icon: Shield, needs: 'privacy:write' },
  { to: '/settings', word: 'settings', Icon: Settings, needs: 'company:write' },
] as const

const square =
  'relative grid size-9 place-items-center rounded-lg text-ink-soft hover:bg-hover hover:text-ink [&_svg]:size-4.5'

/** The navigation on the left, without the pages the person's role may not open. */
export function Navigation() {
  const { say } = useSpeech()
  const may = useMay()
  return (
    <nav
      aria-label={say('navigation')}
      className="flex w-13 shrink-0 flex-col items-center gap-1 border-line border-r bg-surface py-2"
    >
      <Link to="/" aria-label="Waybill" className="mb-2 rounded-lg">
        <Mark />
      </Link>
      {places
        .filter(({ needs }) => may(needs))
        .map(({ to, word, Icon }) => (
          <Link
            key={to}
            to={to}
            title={say(word)}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={square}
            activeProps={{ className: join(square, '!bg-chosen !text-accent') }}
          >
            <Icon aria-hidden />
            <span className="sr-only">{say(word)}</span>
            {to === '/conflicts' && <ConflictBadge />}
          </Link>
        ))}
      <div className="grow" />
      <a href="/docs" title={say('apiReference')} aria-label={say('apiReference')} className={square}>
        <BookOpen aria-hidden />
      </a>
      <PersonMenu />
    </nav>
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
  const signOut = useSignOut()
  const navigate = useNavigate()
  return (
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
      <MenuItem onSelect={() => void signOut()}>
        <LogOut aria-hidden />
        {say('signOut')}
      </MenuItem>
    </Menu>
  )
}
