import type { ComponentProps, ReactNode } from 'react'
import { join } from './class-names.ts'

const looks = {
  primary: 'bg-brand text-on-brand hover:brightness-110 border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-hover',
  quiet: 'bg-transparent text-ink-soft border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border-line hover:bg-bad-soft',
} as const

const shape =
  'inline-flex items-center justify-center gap-1.5 h-8 rounded-md border px-2.5 font-medium whitespace-nowrap ' +
  'transition-colors disabled:opacity-55 disabled:pointer-events-none aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0'

interface Props extends ComponentProps<'button'> {
  look?: keyof typeof looks
  /** Whether the action it started is still running. */
  busy?: boolean
}

export function Button({ look = 'plain', busy, className, disabled, type = 'button', ...rest }: Props) {
  return (
    <button
      type={type}
      className={join(shape, looks[look], className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    />
  )
}

interface IconProps extends Omit<Props, 'children'> {
  /** What it does, for screen readers and as a tooltip. */
  label: string
  children: ReactNode
}

export function IconButton({ label, look = 'quiet', className, ...rest }: IconProps) {
  return <Button look={look} aria-label={label} title={label} className={join('w-8 px-0', className)} {...rest} />
}

/** For a link that looks like a button. */
export const buttonLook = (look: keyof typeof looks = 'plain') => join(shape, looks[look])
