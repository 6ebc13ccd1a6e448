import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { leaveOutSchemas } from './leave-out-schemas.ts'
import { precompress } from './precompress.ts'

/** The pages are served under /app/; in development `WEB_API` names the server for /api (default: the local one). */
export default defineConfig(({ mode }) => {
  const settings = loadEnv(mode, import.meta.dirname, 'WEB_')
  return {
    root: import.meta.dirname,
    base: '/app/',
    plugins: [react(), leaveOutSchemas(), precompress()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // The content security policy allows no data: addresses.
      assetsInlineLimit: 0,
      // Few requests, and a first page that loads only what it uses: frame and dashboard are in two files, with packages apart because they
      // rarely change; code shared by other pages is in two more, and each page has its own. All share one style sheet.
      cssCodeSplit: false,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'vendor', tags: ['$initial'], test: /node_modules/, priority: 4 },
              { name: 'app', tags: ['$initial'], priority: 3 },
              { name: 'shared-vendor', test: /node_modules/, minShareCount: 3, priority: 2 },
              { name: 'shared', test: /web[\\/]|src[\\/]contract/, minShareCount: 2, priority: 1 },
            ],
          },
        },
      },
    },
    server: { port: 5173, proxy: { '/api': settings['WEB_API'] ?? 'http://localhost:3000' } },
  }
})
