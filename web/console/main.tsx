import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import '../ui/styles.css'
import { TextsMissing } from '../ui/texts-missing.tsx'
import { loadPreferred, preferredLanguage } from '../words/chosen.ts'
import { loadWords } from '../words/console.ts'

// Not awaited at the top: then the pages could not share what this file loads.
void loadPreferred(loadWords).then(
  (spoken) => show(<App spoken={spoken} />),
  () => show(<TextsMissing wanted={preferredLanguage()} />),
)

function show(app: ReactNode) {
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<StrictMode>{app}</StrictMode>)
}
