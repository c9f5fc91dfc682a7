// Finds the most likely of a list of short answers: beam search through a tree of their tokens.
import type { Decoder, DecoderState } from './decoder.ts'
import { chooseToken } from './guards.ts'
import type { WhisperTokens } from './tokens.ts'

type Branch = { readonly next: Map<number, Branch>; readonly answers: string[] }
export type AnswerTree = Branch

/** `score`: log-probability of the answer in all its spellings; `tokens`: of the shortest one, its end included. */
export type FoundAnswer = { text: string; score: number; tokens: number }

/** Hypotheses continued at a time, and how far below the best one they may be. */
const WIDTH = 6
const FARTHEST = 6
const MAX_STEPS = 6

/** The same word with and without capital and full stop: the model spreads its belief over all of them. */
function spellingsOf(answer: string): Set<string> {
  const bare = answer.replace(/[.?]$/, '')
  const small = bare.toLowerCase()
  return new Set([bare, small, `${bare}.`, `${small}.`, `${bare}?`, `${bare},`, `${bare}!`])
}

export function answerTree(answers: readonly string[], encode: (text: string) => readonly number[]): AnswerTree {
  const root: Branch = { next: new Map(), answers: [] }
  for (const answer of answers)
    for (const spelling of spellingsOf(answer)) {
      let at = root
      for (const token of encode(` ${spelling}`)) {
        const next = at.next.get(token) ?? { next: new Map(), answers: [] }
        at.next.set(token, next)
        at = next
      }
      at.answers.push(answer)
    }
  return root
}

type Hypothesis = { branch: Branch; token: number; score: number; from: number }

const best = (all: Hypothesis[], least: number): Hypothesis[] =>
  all
    .filter(({ score }) => score > least)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, WIDTH)

/** log(e^a + e^b) */
const logAdd = (a: number, b: number): number => Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)))

export type AnswerSearch = {
  tree: AnswerTree
  decoder: Pick<Decoder, 'step'>
  tokens: Pick<WhisperTokens, 'end' | 'suppressed' | 'suppressedFirst'>
  isCanceled: () => boolean
}

/** `row`: the logits after the opening. Undefined if none of the answers is likely at all, or on cancellation. */
export async function findAnswer(
  { tree, decoder, tokens, isCanceled }: AnswerSearch,
  opened: DecoderState,
  row: Float32Array,
): Promise<FoundAnswer | undefined> {
  const { logSum } = chooseToken(row, tokens.suppressedFirst)
  const firsts = [...tree.next].map(([token, branch]) => ({
    branch,
    token,
    score: (row[token] as number) - logSum,
    from: 0,
  }))
  const found = new Map<string, FoundAnswer>()
  let state = opened
  let live = best(firsts, Math.max(...firsts.map(({ score }) => score)) - FARTHEST)
  for (let step = 1; step <= MAX_STEPS && live.length > 0; step++) {
    if (isCanceled()) return undefined
    const chosen = live.map(({ token }) => token)
    const from = live.map((hypothesis) => hypothesis.from)
    const made = await decoder.step(state, chosen, from)
    state = made.state
    const next: Hypothesis[] = []
    for (const [i, { branch, score }] of live.entries()) {
      const logits = made.rows[i] as Float32Array
      const sum = chooseToken(logits, tokens.suppressed).logSum
      const ended = score + (logits[tokens.end] as number) - sum
      for (const text of branch.answers) {
        const before = found.get(text)
        found.set(
          text,
          before ? { ...before, score: logAdd(before.score, ended) } : { text, score: ended, tokens: step + 1 },
        )
      }
      for (const [token, further] of branch.next)
        next.push({ branch: further, token, score: score + (logits[token] as number) - sum, from: i })
    }
    live = best(next, Math.max(Number.NEGATIVE_INFINITY, ...[...found.values()].map((one) => one.score)) - FARTHEST)
  }
  return [...found.values()].reduce<FoundAnswer | undefined>(
    (top, one) => (top && top.score >= one.score ? top : one),
    undefined,
  )
}
