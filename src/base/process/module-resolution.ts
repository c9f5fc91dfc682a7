// Resolves relative imports of ES modules by URL alone. Node also checks the file, its real path and its package for
// each, which takes a fifth of the startup time. Everything else, including every require(), is left to Node.
import { registerHooks } from 'node:module'

const isRelative = (specifier: string) => specifier.startsWith('./') || specifier.startsWith('../')

/** Every `.js` file of this package is an ES module. */
const ESM_PACKAGE = '/node_modules/kysely/'

function formatOf(specifier: string, parent: string): string | undefined {
  if (specifier.endsWith('.ts')) return 'module-typescript'
  if (specifier.endsWith('.mjs')) return 'module'
  return specifier.endsWith('.js') && parent.includes(ESM_PACKAGE) ? 'module' : undefined
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL, conditions } = context
    if (!parentURL || !isRelative(specifier) || !conditions.includes('import')) return nextResolve(specifier, context)
    const format = formatOf(specifier, parentURL)
    if (!format) return nextResolve(specifier, context)
    return { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
  },
})
