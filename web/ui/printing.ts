import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether the page is being printed. What is drawn then is on the paper: the browser waits for it. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const media = window.matchMedia('print')
    const tell = (next: boolean) => flushSync(() => setPrinting(next))
    const begin = () => tell(true)
    const end = () => tell(false)
    const follow = () => tell(media.matches)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    media.addEventListener('change', follow)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
      media.removeEventListener('change', follow)
    }
  }, [])
  return isPrinting
}
