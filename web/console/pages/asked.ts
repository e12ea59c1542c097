import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'

/** What a link asks a page to open, such as `/hubs#new`. When that is closed, it leads back to the dispatch screen. */
export function useAsked() {
  const navigate = useNavigate()
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const [asked] = useState(hash)
  const goBack = () => {
    if (asked) void navigate({ to: '/' })
  }
  return { asked, goBack }
}
