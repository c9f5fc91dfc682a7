// The documents refer to existing files: links and paths in code style both resolve.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const documents = globSync(['*.md', 'docs/**/*.md', 'src/**/README.md', 'web/**/*.md'], { cwd: root }).filter(
  (path) => !path.includes('node_modules') && path !== 'CHANGELOG.md',
)
/** Decisions are historical records: their paths may have moved since. */
const current = documents.filter((path) => !path.startsWith('docs/decisions/'))

function missingLinks(path: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(root, dirname(path), target)))
    .map((target) => `${path} links to ${target}`)
}

/**
 * A path with a folder is relative to the root, to src, or to the document's own folder. Patterns and placeholders are
 * not paths.
 */
function missingPaths(path: string, text: string): string[] {
  return [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.ts)`/g)]
    .map(([, named = '']) => named)
    .filter(
      (named) => ![root, join(root, 'src'), join(root, dirname(path))].some((from) => existsSync(join(from, named))),
    )
    .map((named) => `${path} names ${named}`)
}

test('every link in the documents resolves', () => {
  assert.ok(documents.length > 30)
  assert.deepEqual(
    documents.flatMap((path) => missingLinks(path, readFileSync(join(root, path), 'utf8'))),
    [],
  )
})

test('every source file named in a document exists', () => {
  assert.deepEqual(
    current.flatMap((path) => missingPaths(path, readFileSync(join(root, path), 'utf8'))),
    [],
  )
})

test('every decision is in the index', () => {
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8')
  const pages = globSync('docs/decisions/[0-9]*.md', { cwd: root })
  assert.ok(pages.length > 40)
  assert.deepEqual(
    pages.filter((path) => !index.includes(`](${basename(path)})`)),
    [],
  )
})

test('a broken link and a moved file are detected', () => {
  assert.deepEqual(missingLinks('README.md', '[a](docs/none.md) [b](docs/phone.md#here) [c](https://example.com)'), [
    'README.md links to docs/none.md',
  ])
  assert.deepEqual(missingPaths('README.md', '`src/none.ts` `phone/none.ts` `src/app.ts` `phone/phone.ts`'), [
    'README.md names src/none.ts',
    'README.md names phone/none.ts',
  ])
})
