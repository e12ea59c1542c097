import { type ReactNode, Suspense } from 'react'

/** What is loaded when somebody needs it. Until it is there nothing is shown, and the page is marked as busy. */
export const Later = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<span hidden aria-busy="true" />}>{children}</Suspense>
)
