// Builds the widget as one classic script, /widget.js, and its preview: a site's <script> needs neither modules nor a second file.
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { precompress } from './precompress.ts'

const web = import.meta.dirname
const scripts = { widget: 'client/widget.ts', 'client/widget-preview': 'client/widget-preview.ts' }

export const widgetBundle = (): Plugin => ({
  name: 'widget-bundle',
  apply: 'build',
  async closeBundle() {
    for (const [name, input] of Object.entries(scripts))
      await build({
        configFile: false,
        root: web,
        logLevel: 'warn',
        publicDir: false,
        plugins: [precompress()],
        build: {
          target: 'es2022',
          emptyOutDir: false,
          outDir: join(web, 'dist'),
          // As a library: the call client is imported as written, without Vite's preloading around it.
          lib: { entry: join(web, input), formats: ['iife'], name: 'ramalWidget', fileName: () => `${name}.js` },
        },
      })
  },
})
