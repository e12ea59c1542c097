import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { NotKept } from '../../phone/trouble.ts'
import { driverWords } from '../words/driver.ts'
import { phoneWords } from '../words/phone.ts'
import { addWords } from '../words/words.ts'
import { App } from './app/app.tsx'
import './driver.css'

addWords(driverWords)
addWords(phoneWords)
// The driver reads it on the screen; what waited for it has stopped, as it should.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof NotKept) event.preventDefault()
})
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
