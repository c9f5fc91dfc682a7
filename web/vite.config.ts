// How the page is built: one page split by its routes, and the two files of the browser client under fixed names.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const fixedNames = ['web-call', 'audio-worklet']

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // The first that know light-dark(): what is put in its place otherwise does not see the chosen theme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A file inside a `data:` address would need a hole in the content policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    rollupOptions: {
      input: {
        page: 'index.html',
        'web-call': 'client/web-call.ts',
        'audio-worklet': 'client/audio-worklet.ts',
      },
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: ({ name }) => (fixedNames.includes(name) ? 'client/[name].js' : 'assets/[name]-[hash].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  // `vite web` beside a running platform, while the page is being worked on.
  server: { proxy: { '^/(api|auth|web-calls|openapi.json|docs)': { target: 'http://127.0.0.1:3000', ws: true } } },
})
