import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import '../ui/styles.css'
import { loadPreferred } from '../words/chosen.ts'
import { loadWords } from '../words/console.ts'

// Not awaited at the top: then the pages could not share what this file loads.
void loadPreferred(loadWords).then((spoken) => {
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <StrictMode>
        <App spoken={spoken} />
      </StrictMode>,
    )
})
