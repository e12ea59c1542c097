import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { driverWords } from '../words/driver.ts'
import { phoneWords } from '../words/phone.ts'
import { addWords } from '../words/words.ts'
import { App } from './app/app.tsx'
import './driver.css'

addWords(driverWords)
addWords(phoneWords)
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
