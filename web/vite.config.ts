import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'

/** The pages are served under /app/; in development `WEB_API` names the server that answers /api (default: the local one). */
export default defineConfig(({ mode }) => {
  const settings = loadEnv(mode, import.meta.dirname, 'WEB_')
  return {
    root: import.meta.dirname,
    base: '/app/',
    plugins: [react()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // The content security policy allows no data: addresses.
      assetsInlineLimit: 0,
    },
    server: { port: 5173, proxy: { '/api': settings['WEB_API'] ?? 'http://localhost:3000' } },
  }
})
