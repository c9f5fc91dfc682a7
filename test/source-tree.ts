// The syntax trees of the source, for rules about code rather than text.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'

export type SyntaxNode = { type: string; start: number; end: number; [field: string]: unknown }
export type SourceFile = { path: string; source: string; tree: SyntaxNode }

const root = join(import.meta.dirname, '..')

export const parsed = (path: string, source: string): SourceFile => ({
  path,
  source,
  tree: parseAst(source, { lang: 'ts' }) as unknown as SyntaxNode,
})

/** All server code without tests. */
export const serverFiles = (): SourceFile[] =>
  globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .sort()
    .map((path) => parsed(path, readFileSync(join(root, path), 'utf8')))

export const lineOf = ({ source }: SourceFile, { start }: SyntaxNode): number =>
  source.slice(0, start).split('\n').length

/** Visits every descendant node with its ancestors, the nearest last. */
export function walk(node: unknown, visit: (node: SyntaxNode, around: readonly SyntaxNode[]) => void): void {
  const around: SyntaxNode[] = []
  const enter = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) enter(item)
    if (value === null || typeof value !== 'object' || !('type' in value)) return
    const current = value as SyntaxNode
    visit(current, around)
    around.push(current)
    for (const field of Object.values(current)) if (typeof field === 'object') enter(field)
    around.pop()
  }
  enter(node)
}
