// The dashboard build: one page split by route, and the two browser client files under fixed names.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { libraryStyles } from './library-styles.ts'
import { precompress } from './precompress.ts'
import { writeTypeface } from './src/typeface/make-typeface.ts'
import { widgetBundle } from './widget-bundle.ts'

const fixedNames = ['web-call', 'audio-worklet']

// One chunk per icon would mean thirty requests per page; one chunk for everything, a huge first load. These groups are in
// between; what only one page needs stays with the page.
const groups = [
  { name: 'first', test: /web\/src\/(main|shell\/(preferences|logo))\.tsx$|@mantine\/.*\/utils\// },
  // Dialogs and scroll areas are in the signed-in pages, too: they must not bring the sign-in form with them.
  {
    name: 'base',
    test: /@mantine\/core\/esm\/components\/(ScrollArea|Modal|ModalBase|Input|InputBase|TextInput|Alert|CloseButton)\/|react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref|tslib/,
  },
  { name: 'auth', test: /web\/src\/shell\/(sign-in|sign-in-form|sign-in-dialog|setup)\.tsx$/ },
  {
    name: 'signed-in',
    test: /web\/src\/(shell\/signed-in-app|components\/(agent-name|incident-watch|page|record-table|section|status-badge|date-time)|pages\/(calls\/call-status|providers\/found-servers))\.tsx$|@mantine\/core\/esm\/components\/(Badge|Grid|Progress|ScrollArea|SimpleGrid|Table)\//,
  },
  // Before the lists, which would otherwise take selects, menus and what all pages use with them.
  {
    name: 'controls',
    test: /@mantine\/core\/esm\/components\/(Select|Combobox|Menu|Popover|Portal|Floating|Checkbox|Switch|Textarea|Drawer|Modal|Pill)|@floating-ui/,
    minShareCount: 5,
  },
  {
    name: 'common',
    test: /web\/src\/components\/(?!list\/)(use-|action|removal|language|agent|next)/,
    minShareCount: 3,
  },
  { name: 'icons', test: /@tabler\//, minShareCount: 2 },
  {
    // Every list page needs it, the home page and the pages of one record do not.
    name: 'list',
    test: /web\/src\/components\/list\/|@tanstack\/(react-virtual|virtual-core)\//,
  },
  // Large, and in forms only.
  {
    name: 'fields',
    test: /@mantine\/core\/esm\/components\/(NumberInput|TagsInput|JsonInput)|react-number-format/,
    minShareCount: 2,
  },
  { name: 'shared', test: /web\/src\/|node_modules/, minShareCount: 8 },
].map((group, i, all) => ({ ...group, priority: all.length - i }))

await writeTypeface()

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), libraryStyles(), precompress(), widgetBundle()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // The first versions with light-dark(): its polyfill ignores the chosen theme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // Inlined `data:` URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 500,
    rollupOptions: {
      input: {
        page: 'index.html',
        'web-call': 'client/web-call.ts',
        'audio-worklet': 'client/audio-worklet.ts',
      },
      preserveEntrySignatures: 'allow-extension',
      // The editor's key commands import a parser framework that its undo history does not use.
      treeshake: { moduleSideEffects: [{ test: /@lezer|@codemirror\/language/, sideEffects: false }] },
      output: {
        entryFileNames: ({ name }) => (fixedNames.includes(name) ? 'client/[name].js' : 'assets/[name]-[hash].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: { groups },
      },
    },
  },
  // For development: `vite web` next to a running server.
  server: {
    proxy: {
      '^/(api|auth|web-calls|widget/|widget-preview|openapi.json|docs|guides)': {
        target: 'http://127.0.0.1:3000',
        ws: true,
      },
    },
  },
})
