// How the page is built: one page split by its routes, and the two files of the browser client under fixed names.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { libraryStyles } from './library-styles.ts'
import { precompress } from './precompress.ts'
import { writeTypeface } from './src/typeface/make-typeface.ts'

const fixedNames = ['web-call', 'audio-worklet']

// A file of its own for each icon would be thirty requests for a page; one for everything, a first load of everything. So there
// are these, each with what it imports; what a page alone needs stays with the page.
const groups = [
  { name: 'first', test: /web\/src\/(main|shell\/(preferences|logo))\.tsx$|@mantine\/.*\/utils\// },
  { name: 'auth', test: /web\/src\/shell\/(sign-in|setup)\.tsx$/ },
  {
    name: 'signed-in',
    test: /web\/src\/(shell\/signed-in-app|components\/(agent-name|page|record-table|section|status-badge|date-time)|pages\/calls\/call-status)\.tsx$|@mantine\/core\/esm\/components\/(Badge|Grid|Progress|ScrollArea|SimpleGrid|Table)\//,
  },
  { name: 'icons', test: /@tabler\//, minShareCount: 3 },
  { name: 'shared', test: /web\/src\/|node_modules/, minShareCount: 5 },
].map((group, i, all) => ({ ...group, priority: all.length - i }))

await writeTypeface()

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), libraryStyles(), precompress()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // The first that know light-dark(): what is put in its place otherwise does not see the chosen theme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A file inside a `data:` address would need a hole in the content policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 500,
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
        codeSplitting: { groups },
      },
    },
  },
  // `vite web` beside a running platform, while the page is being worked on.
  server: { proxy: { '^/(api|auth|web-calls|openapi.json|docs)': { target: 'http://127.0.0.1:3000', ws: true } } },
})
