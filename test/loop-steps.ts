// Finds loops that may never end: those whose step comes from outside (a setting, a parameter) and could be zero or
// negative.
import { lineOf, type SourceFile, type SyntaxNode, walk } from './source-tree.ts'

const isConstant = (name: string) => /^[A-Z][A-Z0-9_]*$/.test(name)

/** `name += step` in the head of a `for`, or in a `while` that tests `name`. */
export function doubtfulSteps(file: SourceFile): string[] {
  const told: string[] = []
  walk(file.tree, (node, around) => {
    if (node.type !== 'AssignmentExpression' || (node.operator !== '+=' && node.operator !== '-=')) return
    const left = node.left as SyntaxNode
    const loop = loopOf(node, left, around)
    if (!loop || isPositive(node.right as SyntaxNode, around) || isGuarded(node.right as SyntaxNode, loop)) return
    told.push(`${file.path}:${lineOf(file, node)} ${file.source.slice(node.start, node.end)}`)
  })
  return told
}

function loopOf(node: SyntaxNode, left: SyntaxNode, around: readonly SyntaxNode[]): SyntaxNode | undefined {
  return around.findLast((outer, depth) => {
    if (outer.type === 'ForStatement') return outer.update === node || isWithin(outer.update, node)
    if (outer.type !== 'WhileStatement' && outer.type !== 'DoWhileStatement') return false
    // An assignment in a nested function is not a step of this loop.
    if (around.slice(depth + 1).some(({ type }) => type.includes('Function'))) return false
    return left.type === 'Identifier' && names(outer.test).has(left.name as string)
  })
}

const isWithin = (outer: unknown, node: SyntaxNode): boolean => {
  let isFound = false
  walk(outer, (inner) => {
    isFound ||= inner === node
  })
  return isFound
}

function names(node: unknown): Set<string> {
  const all = new Set<string>()
  walk(node, (inner) => {
    if (inner.type === 'Identifier') all.add(inner.name as string)
  })
  return all
}

/**
 * Certainly positive: a number literal, a CONSTANT, a length, `Math.max(1, …)`, or a `const` initialized with one of
 * these.
 */
function isPositive(node: SyntaxNode, around: readonly SyntaxNode[]): boolean {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number' && node.value > 0
    case 'Identifier':
      return isConstant(node.name as string) || isPositiveConst(node.name as string, around)
    case 'MemberExpression':
      return ['length', 'byteLength', 'size'].includes(((node.property as SyntaxNode).name as string) ?? '')
    case 'BinaryExpression':
      return (
        ['+', '*', '/'].includes(node.operator as string) &&
        isPositive(node.left as SyntaxNode, around) &&
        isPositive(node.right as SyntaxNode, around)
      )
    case 'ConditionalExpression':
      return isPositive(node.consequent as SyntaxNode, around) && isPositive(node.alternate as SyntaxNode, around)
    case 'CallExpression':
      return isLowerBound(node)
    default:
      return false
  }
}

/** The loop exits if the step is not positive: `if (step <= 0) break`. */
function isGuarded(step: SyntaxNode, loop: SyntaxNode): boolean {
  let isFound = false
  walk(loop.body, (node) => {
    const test = node.type === 'IfStatement' ? (node.test as SyntaxNode) : undefined
    if (test?.type !== 'BinaryExpression' || !['<=', '<', '==='].includes(test.operator as string)) return
    const leaves = ['BreakStatement', 'ReturnStatement'].includes((node.consequent as SyntaxNode).type)
    const [left, right] = [test.left as SyntaxNode, test.right as SyntaxNode]
    if (leaves && left.name === step.name && right.type === 'Literal') isFound = true
  })
  return isFound
}

function isLowerBound({ callee, arguments: given }: SyntaxNode): boolean {
  const { object, property } = callee as SyntaxNode & { object?: SyntaxNode; property?: SyntaxNode }
  const first = (given as SyntaxNode[])[0]
  return object?.name === 'Math' && property?.name === 'max' && first !== undefined && isPositive(first, [])
}

function isPositiveConst(name: string, around: readonly SyntaxNode[]): boolean {
  let isFound = false
  const outermost = around.find(({ type }) => type === 'Program')
  walk(outermost, (node) => {
    if (node.type !== 'VariableDeclarator' || node.init === null) return
    if ((node.id as SyntaxNode).name === name && isPositive(node.init as SyntaxNode, around)) isFound = true
  })
  return isFound
}
