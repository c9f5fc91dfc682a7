// The styles of each component of the library come with the component, so that a page loads those of what it shows.
import type { Plugin } from 'vite'

// The library keeps the names of a component's classes in a module beside it. Whatever it builds upon is imported before it,
// which is the order that its styles need.
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
