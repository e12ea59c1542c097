import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { NotKept } from '../../phone/trouble.ts'
import { TextsMissing } from '../ui/texts-missing.tsx'
import { loadPreferred, preferredLanguage } from '../words/chosen.ts'
import { loadWords } from '../words/driver.ts'
import { App } from './app/app.tsx'
import './driver.css'

// The driver reads it on the screen; what waited for it has stopped, as it should.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof NotKept) event.preventDefault()
})
// Not awaited at the top: then the screens that are loaded later could not share what this file loads.
void loadPreferred(loadWords).then(
  (spoken) => show(<App spoken={spoken} />),
  () => show(<TextsMissing wanted={preferredLanguage()} />),
)

function show(app: ReactNode) {
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<StrictMode>{app}</StrictMode>)
}
