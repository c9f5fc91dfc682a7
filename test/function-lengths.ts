// The lengths of the functions in the source. A function's own lines exclude nested functions: the methods of a factory
// count separately.
import { lineOf, parsed, type SourceFile, type SyntaxNode, walk } from './source-tree.ts'

export type FunctionLength = { path: string; line: number; name: string; lines: number; ownLines: number }

const kinds = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

export const functionLengths = (files: Readonly<Record<string, string>>): FunctionLength[] =>
  Object.entries(files).flatMap(([path, source]) => lengthsIn(parsed(path, source)))

function lengthsIn(file: SourceFile): FunctionLength[] {
  const linesOf = ({ start, end }: SyntaxNode) => file.source.slice(start, end).split('\n').length
  const lengths = new Map<SyntaxNode, FunctionLength>()
  walk(file.tree, (node, around) => {
    if (!kinds.includes(node.type)) return
    const lines = linesOf(node)
    lengths.set(node, {
      path: file.path,
      line: lineOf(file, node),
      name: nameOf(node, around.at(-1)),
      lines,
      ownLines: lines,
    })
    const outer = around.findLast(({ type }) => kinds.includes(type))
    const holder = outer && lengths.get(outer)
    // The first line of a nested function counts for the enclosing one.
    if (holder) holder.ownLines -= lines - 1
  })
  return [...lengths.values()]
}

function nameOf(node: SyntaxNode, parent: SyntaxNode | undefined): string {
  for (const holder of [node.id, parent?.id, parent?.key, parent?.callee])
    if (holder && typeof holder === 'object' && 'name' in holder) return String(holder.name)
  return 'a function without a name'
}
