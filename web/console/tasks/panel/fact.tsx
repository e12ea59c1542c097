import type { ReactNode } from 'react'

/** A list of labelled values. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1.5">{children}</dl>
)

/** One labelled value; hidden if it is empty, even if only the child component knows that. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '' || children === false) return null
  return (
    <>
      <dt className="text-ink-faint has-[+dd:empty]:hidden">{label}</dt>
      <dd className="numbers min-w-0 empty:hidden [overflow-wrap:anywhere] whitespace-pre-line">{children}</dd>
    </>
  )
}

export function Part({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-line border-b px-4 py-3 last:border-0">
      {title && (
        <header className="mb-2 flex items-center gap-2">
          <h3 className="grow font-semibold">{title}</h3>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}
