import { ArrowLeft, type LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { useKeptScroll } from './kept-scroll.ts'
import { takeTap, useResting } from './resting.ts'
import { screens } from './screen.ts'
import { Trouble } from './trouble.tsx'

const bigLooks = {
  primary: 'bg-brand text-on-brand border-transparent',
  danger: 'bg-(--danger) text-white border-transparent',
  plain: 'bg-surface text-ink border-line-strong',
  grey: 'bg-sunken text-ink-soft border-line-strong',
} as const

interface BigProps extends ComponentProps<'button'> {
  look?: keyof typeof bigLooks
  Icon?: LucideIcon
}

/** The one thing to do next. It takes one tap at a time: what follows at once was meant for what stood there before. */
export function BigButton({ look = 'primary', Icon, className, children, onClick, ...rest }: BigProps) {
  const isResting = useResting()
  const tap = (event: MouseEvent<HTMLButtonElement>) => (takeTap(event) ? onClick?.(event) : event.preventDefault())
  return (
    <button
      type="button"
      className={join(
        'flex min-h-15 w-full items-center justify-center gap-2.5 rounded-xl border px-3 py-2 font-bold text-title',
        'disabled:opacity-60',
        bigLooks[look],
        className,
      )}
      onClick={tap}
      {...rest}
      {...(isResting && { 'aria-disabled': true })}
    >
      {Icon && <Icon aria-hidden className="size-6 shrink-0" />}
      <span className="min-w-0">{children}</span>
    </button>
  )
}

export const plainButton =
  'inline-flex min-h-12 items-center justify-center gap-2 rounded-xl border border-line-strong bg-surface px-4 font-semibold text-ink'

interface ScreenProps {
  head?: ReactNode
  foot?: ReactNode
  /** Fills its place and does not scroll. */
  isFixed?: boolean
  /** Its name, if who comes back to it finds it scrolled as it was left. */
  keepsScroll?: string
  children: ReactNode
}

/**
 * A screen: a head and a foot that stay, and what scrolls between them. A low one shows by a fade that there is more. Where
 * large text makes the head high, it scrolls away.
 */
export const Screen = ({ head, foot, isFixed = false, keepsScroll, children }: ScreenProps) => (
  <div className="mx-auto flex h-dvh max-w-lg flex-col overflow-y-auto bg-page">
    {head}
    <main
      ref={useKeptScroll(keepsScroll)}
      tabIndex={-1}
      className="relative min-h-2/5 flex-1 overflow-y-auto outline-none"
    >
      {children}
      {foot && !isFixed && (
        <div
          aria-hidden
          className="pointer-events-none sticky bottom-0 h-8.5 bg-linear-to-t from-page to-transparent [@media(min-height:701px)]:hidden"
        />
      )}
    </main>
    <div className="sticky bottom-0">
      <Trouble />
      {foot}
    </div>
  </div>
)

interface BarProps {
  title: string
  back: string
  /** Under the title. */
  line?: ReactNode
  side?: ReactNode
}

/** The head of every screen but the route. */
export function Bar({ title, back, line, side }: BarProps) {
  const say = useSay()
  return (
    <header className="flex min-h-14 shrink-0 flex-wrap items-center justify-end gap-1 border-line border-b bg-surface pt-[env(safe-area-inset-top)] pr-3">
      <div className="flex min-w-0 flex-1 basis-[12rem] items-center gap-1">
        <a
          href={back}
          aria-label={say(back === screens.me ? 'backToMe' : 'backToRoute')}
          className="grid size-14 shrink-0 place-items-center"
        >
          <ArrowLeft aria-hidden className="size-6" />
        </a>
        <div className="min-w-0 flex-1 py-1.5">
          <h1 className="font-semibold text-large leading-tight">{title}</h1>
          {line}
        </div>
      </div>
      {side}
    </header>
  )
}

export const Foot = ({ children }: { children: ReactNode }) => (
  <footer className="border-line border-t bg-surface p-3 pb-[calc(env(safe-area-inset-bottom)+12px)]">
    {children}
  </footer>
)

const cardLooks = {
  plain: 'border-line bg-surface',
  given: 'border-transparent bg-given-soft',
  waiting: 'border-waiting bg-waiting-soft',
} as const

export const Card = ({
  look = 'plain',
  className,
  ...rest
}: ComponentProps<'section'> & { look?: keyof typeof cardLooks }) => (
  <section className={join('rounded-2xl border', cardLooks[look], className)} {...rest} />
)

/** A short mark: new, late. */
export const Tag = ({ className, ...rest }: ComponentProps<'span'>) => (
  <span
    className={join(
      'inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 font-semibold text-mark leading-tight',
      className,
    )}
    {...rest}
  />
)
