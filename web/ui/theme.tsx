import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

interface Themed {
  theme: Theme
  /** The theme in use. */
  shown: 'light' | 'dark'
  choose: (theme: Theme) => void
}
const ThemeContext = createContext<Themed>({ theme: 'system', shown: 'light', choose: () => {} })
export const useTheme = () => useContext(ThemeContext)

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')
const stored = () => themes.find((one) => one === localStorage.getItem('waybill.theme')) ?? 'system'

export function ThemeProvider({ children }: { children: ReactNode }) {
  const [theme, setTheme] = useState<Theme>(stored)
  const [dark, setDark] = useState(systemIsDark.matches)
  useEffect(() => {
    const follow = () => setDark(systemIsDark.matches)
    systemIsDark.addEventListener('change', follow)
    return () => systemIsDark.removeEventListener('change', follow)
  }, [])
  const shown = theme === 'system' ? (dark ? 'dark' : 'light') : theme
  document.documentElement.dataset['theme'] = shown
  const value = useMemo(() => {
    const choose = (next: Theme) => {
      localStorage.setItem('waybill.theme', next)
      setTheme(next)
    }
    return { theme, shown, choose } as const
  }, [theme, shown])
  return <ThemeContext value={value}>{children}</ThemeContext>
}
