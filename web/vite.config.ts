import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { precompress } from './precompress.ts'

/** The pages are served under /app/; in development `WEB_API` names the server that answers /api (default: the local one). */
export default defineConfig(({ mode }) => {
  const settings = loadEnv(mode, import.meta.dirname, 'WEB_')
  return {
    root: import.meta.dirname,
    base: '/app/',
    plugins: [react(), precompress()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // The content security policy allows no data: addresses.
      assetsInlineLimit: 0,
      // Few requests: one style sheet, what several pages share in two files, and one file for each page. What only two pages take from
      // packages comes with them: 10 kB that the first page need not load.
      cssCodeSplit: false,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'vendor', test: /node_modules/, minShareCount: 3, priority: 2 },
              { name: 'shared', test: /web[\\/]|src[\\/]contract/, minShareCount: 2, priority: 1 },
            ],
          },
        },
      },
    },
    server: { port: 5173, proxy: { '/api': settings['WEB_API'] ?? 'http://localhost:3000' } },
  }
})
