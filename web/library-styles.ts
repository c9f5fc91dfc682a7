// Imports the library's styles per component, so that a page loads only the styles it uses.
import type { Plugin } from 'vite'

// Each component has a class-name module. Its dependencies are imported first, which is the order the styles need.
const classNames = /[\\/]@mantine[\\/](\w+)[\\/]esm[\\/](?:.*[\\/])?(\w+)\.module\.mjs$/

function stylesOf(id: string): string {
  const [, part, component] = classNames.exec(id) ?? []
  return part === 'core' ? `@mantine/core/styles/${component}.layer.css` : `@mantine/${part}/styles.layer.css`
}

export const libraryStyles = (): Plugin => ({
  name: 'library-styles',
  apply: 'build',
  transform: {
    filter: { id: classNames },
    handler: (code, id) => `import '${stylesOf(id)}'\n${code}`,
  },
})
