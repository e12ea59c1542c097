import type { ReactNode } from 'react'
import './print.css'

/** A page that is not the dispatch screen: a title, what can be done, and the content. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="h-full overflow-y-auto">
      <header className="sticky top-0 z-10 short:static flex flex-wrap items-center gap-3 border-line border-b bg-surface px-4 py-3 sm:px-6">
        <div className="min-w-0 grow">
          <h1 className="font-semibold text-lg leading-tight">{title}</h1>
          {lead && <p className="text-ink-soft">{lead}</p>}
        </div>
        {actions}
      </header>
      <div className="mx-auto max-w-6xl p-4 sm:p-6">{children}</div>
    </div>
  )
}

/** A framed part of a page. */
export function Card({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-surface">
      {title && (
        <header className="flex items-center gap-2 border-line border-b px-4 py-2.5">
          <h2 className="grow font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

const cell = 'px-4 py-2 text-left align-middle'
/** The plain table of the pages with a few dozen rows. */
export const tableLook = {
  table: 'w-full border-collapse',
  head: `${cell} border-line border-b font-medium text-ink-faint text-xs`,
  row: 'border-line border-b last:border-0 hover:bg-hover',
  cell,
}
