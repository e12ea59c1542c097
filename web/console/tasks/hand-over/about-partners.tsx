import type { ReactNode } from 'react'
import { type Task, usePartners } from '../../../api/data.ts'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { Later } from '../../../ui/later.tsx'

/**
 * What concerns partners. An organisation without any loads nothing of it, and what cannot be loaded takes nothing else
 * with it.
 */
export function AboutPartners({ tasks = [], children }: { tasks?: readonly Task[]; children: ReactNode }) {
  const { data: partners = [] } = usePartners()
  const hasPartner = partners.some(({ state }) => state === 'partner')
  if (!hasPartner && tasks.every(({ side }) => side === undefined)) return null
  return (
    <ErrorBoundary isQuiet>
      <Later>{children}</Later>
    </ErrorBoundary>
  )
}
