import { useSay } from '../words/shared.ts'

/** “just now”, “5 min ago”, “2 h ago”, “3 days ago”. */
export function useAge() {
  const say = useSay()
  return (at: number, now: number) => {
    const minutes = Math.floor((now - at) / 60_000)
    if (minutes < 1) return say('justNow')
    if (minutes < 60) return say('minutesAgo', { n: minutes })
    const hours = Math.floor(minutes / 60)
    return hours < 48 ? say('hoursAgo', { n: hours }) : say('daysAgo', { n: Math.floor(hours / 24) })
  }
}
