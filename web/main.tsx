// Mantine's styles are in a CSS layer, so ours win wherever the build puts them in the style sheet.
import './mantine-styles.ts'
import './global.css'
import './forced-colors.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { ignoreHeldEnter } from './kit/form/ignore-held-enter.ts'
import { printLight } from './print-light.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

printLight()
ignoreHeldEnter()

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
