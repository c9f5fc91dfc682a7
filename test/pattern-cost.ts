// Finds regular expressions of more than linear cost: each runs on worst-case texts derived from the pattern itself.
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/**
 * From the small to the large size linear cost grows fourfold and quadratic cost sixteenfold, regardless of the
 * machine's speed.
 */
const SMALL = 6000
const LARGE = 4 * SMALL
const MAX_GROWTH = 8
/** Less than this at the small size counts as linear: quadratic cost takes milliseconds. */
const NOTICED_MS = 0.4
/** Linear cost takes less than this at the large size; quadratic cost takes hundreds of milliseconds. */
const LINEAR_MS = 25
/** Exponential and cubic cost show at these sizes, before they could hang the check. */
const SIZES: readonly [letters: number, mostMs: number][] = [
  [20, 5],
  [1000, 50],
  [SMALL, 25],
]

/** One character of each class that patterns distinguish. */
const letters = [...' \t\nab0-_.,:;#|"\'\\=/@<>()[]{}*+?!%&$é\u00a0ˈ€\u{1F600}']

export type Costly = { text: string; ms: number }

/** The worst-case text that took too long, or null. */
export function costOf(pattern: RegExp): Costly | null {
  for (const text of hardTexts(pattern)) {
    let ms = 0
    const costly = (size: number): Costly => ({ text: `${JSON.stringify(text(size).slice(0, 40))}… (${size})`, ms })
    for (const [size, mostMs] of SIZES) {
      ms = leastMs(pattern, text(size), NOTICED_MS)
      if (ms > mostMs) return costly(size)
    }
    if (ms <= NOTICED_MS) continue
    const most = Math.max(MAX_GROWTH * ms, LINEAR_MS)
    ms = leastMs(pattern, text(LARGE), most)
    if (ms > most) return costly(LARGE)
  }
  return null
}

/**
 * The shortest of three runs in this thread's CPU time, so that other load does not matter; one run suffices if it is
 * short.
 */
function leastMs(pattern: RegExp, text: string, enoughMs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && least > enoughMs; run++) {
    pattern.lastIndex = 0
    const begun = process.threadCpuUsage()
    if (pattern.global) text.replace(pattern, '')
    else pattern.test(text)
    const { user, system } = process.threadCpuUsage(begun)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

type Made = (size: number) => string

/**
 * For each repetition in the pattern: its prefix and a character it matches, repeated together and apart, with an
 * ending that does not match.
 */
function* hardTexts(pattern: RegExp): Generator<Made> {
  const tree = new RegExpParser().parseLiteral(`/${pattern.source}/${pattern.flags}`)
  const distinct = distinctLetters(tree.pattern, pattern.flags)
  for (const { quantifier, before } of repetitions(tree.pattern.alternatives, '')) {
    const fits = lettersOf(quantifier.element, pattern.flags).filter((letter) => distinct.has(letter))
    const pieces = new Set([...fits, exampleOf(quantifier.element)].filter((piece) => piece !== ''))
    for (const piece of pieces)
      for (const end of ['\u0000', '\n\u0000x']) {
        yield (size) => before + piece.repeat(Math.ceil(size / piece.length)) + end
        if (before !== '') {
          const both = before + piece
          yield (size) => both.repeat(Math.ceil(size / both.length)) + end
        }
      }
  }
}

/** Which characters `\b`, `^` and `$` distinguish. */
const boundaries = [/\w/, /[\n\r\u2028\u2029]/]

/** One letter per class that this pattern distinguishes: letters that every part of it treats alike cost the same. */
function distinctLetters(pattern: AST.Pattern, flags: string): Set<string> {
  const parts: AST.Element[] = []
  const add = (element: AST.Element) => void parts.push(element)
  visitRegExpAST(pattern, { onCharacterEnter: add, onCharacterSetEnter: add, onCharacterClassEnter: add } as object)
  const fitting = [...new Set(parts.map(({ raw }) => raw))].map((raw) => new Set(lettersOf({ raw }, flags)))
  const kinds = new Map<string, string>()
  for (const letter of letters) {
    const kind = [...fitting.map((fits) => fits.has(letter)), ...boundaries.map((one) => one.test(letter))].join()
    if (!kinds.has(kind)) kinds.set(kind, letter)
  }
  return new Set(kinds.values())
}

type Repetition = { quantifier: AST.Quantifier; before: string }

const MANY = 200

function* repetitions(alternatives: readonly AST.Alternative[], before: string): Generator<Repetition> {
  for (const { elements } of alternatives) {
    let prefix = before
    for (const element of elements) {
      yield* repetitionsIn(element, prefix)
      prefix += exampleOf(element)
    }
  }
}

function* repetitionsIn(element: AST.Element, before: string): Generator<Repetition> {
  if (element.type === 'Quantifier') {
    if (element.max > MANY) yield { quantifier: element, before }
    yield* repetitionsIn(element.element, before)
  } else if (element.type === 'Group' || element.type === 'CapturingGroup')
    yield* repetitions(element.alternatives, before)
  else if (element.type === 'Assertion' && (element.kind === 'lookahead' || element.kind === 'lookbehind'))
    yield* repetitions(element.alternatives, before)
}

/** A short text that the element matches; empty if it matches none or deriving one is not simple. */
function exampleOf(element: AST.Element): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return lettersOf(element, 'u')[0] ?? ''
    case 'Quantifier':
      return exampleOf(element.element).repeat(
        Math.max(element.min, element.max > 0 && element.max > MANY ? 1 : element.min),
      )
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map(exampleOf).join('')
    default:
      return ''
  }
}

function lettersOf({ raw }: { raw: string }, flags: string): string[] {
  try {
    const whole = new RegExp(`^(?:${raw})$`, flags.replace(/[gyd]/g, ''))
    return letters.filter((letter) => whole.test(letter))
  } catch {
    return []
  }
}
