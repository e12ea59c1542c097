import { useSay } from '../../../words/words.ts'

/** “now”, “5 min ago”, “2 h ago”. */
export function useAge() {
  const say = useSay()
  return (at: number, now: number) => {
    const minutes = Math.floor((now - at) / 60_000)
    if (minutes < 1) return say('justNow')
    return minutes < 60 ? say('minutesAgo', { n: minutes }) : say('hoursAgo', { n: Math.floor(minutes / 60) })
  }
}
