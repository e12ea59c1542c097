import { join } from './class-names.ts'

/** A person's picture, or their initials. The name stands beside it. */
export function Avatar({ name, path, className }: { name: string; path: string | null; className?: string }) {
  const look = join('size-7 shrink-0 rounded-full', className)
  if (path) return <img src={`${path}?size=thumb`} alt="" loading="lazy" className={join(look, 'object-cover')} />
  const initials = name.split(/\s+/).map(([letter]) => letter ?? '')
  return (
    <span
      aria-hidden
      className={join(look, 'grid place-items-center bg-sunken font-medium text-[0.65rem] text-ink-soft')}
    >
      {initials.slice(0, 2).join('').toUpperCase()}
    </span>
  )
}
