// An expectation and its result as text in the page's language. Pure.
import type { Rehearsal } from '../../../../client/paths.ts'
import type { Expectation } from './script-form.ts'
import type { scriptTexts } from './script-texts.ts'

type Texts = (typeof scriptTexts)['en']
type Formats = { ms: (value: number) => string; reason: (reason: string) => string }

export function expectationText(expected: Expectation, t: Texts, { ms, reason }: Formats): string {
  const { said, heard, toolRan, times, toolNotRan, turnUnderMs, turn, interrupted, endReason, degraded } = expected
  const words = said ?? heard
  if (words) {
    const inTurn = typeof words.turn === 'number' ? t.check.inTurn(words.turn) : ''
    const parts = [
      ...(words.contains ? [(heard ? t.check.heard : t.check.said)(words.contains, inTurn)] : []),
      ...(words.matches ? [t.check.matches(words.matches, inTurn)] : []),
      ...(words.not ? [t.check.notSaid(words.not, inTurn)] : []),
    ]
    return parts.join(' · ')
  }
  if (typeof toolRan === 'string')
    return typeof times === 'number' ? t.check.toolRanTimes(toolRan, times) : t.check.toolRan(toolRan)
  if (typeof toolNotRan === 'string') return t.check.toolNotRan(toolNotRan)
  if (typeof turnUnderMs === 'number')
    return typeof turn === 'number' ? t.check.oneUnderMs(ms(turnUnderMs), turn) : t.check.turnUnderMs(ms(turnUnderMs))
  if (typeof interrupted === 'number') return t.check.interrupted(interrupted)
  if (degraded) return degraded === 'none' ? t.check.notDegraded : t.check.degraded(t.chains[degraded])
  return t.check.endReason(reason(endReason ?? ''))
}

/** What happened instead, for a failed check. */
export function actualText(expected: Expectation, run: Rehearsal, t: Texts, { ms, reason }: Formats): string {
  const { said, heard, toolRan, toolNotRan, turnUnderMs, turn, interrupted, degraded } = expected
  const words = said ?? heard
  if (words) {
    const turns = run.turns.filter(({ number }) => typeof words.turn !== 'number' || number === words.turn)
    const texts = turns.flatMap((each) => (heard ? each.caller : each.agent) ?? [])
    if (texts.length === 0) return t.actual.nothing
    const quoted = texts.map((text) => `“${text}”`).join(' ')
    return heard ? t.actual.heard(quoted) : t.actual.said(quoted)
  }
  const tool = toolRan ?? toolNotRan
  if (typeof tool === 'string') return t.actual.ran(run.toolCalls.filter(({ name }) => isSame(name, tool)).length)
  if (typeof turnUnderMs === 'number') {
    const measured = run.turns.flatMap(({ number, latency: { totalMs } }) =>
      totalMs === null || (typeof turn === 'number' && number !== turn) ? [] : [t.actual.turn(number, ms(totalMs))],
    )
    return measured.length === 0 ? t.actual.nothing : t.actual.latencies(measured.join(', '))
  }
  if (typeof interrupted === 'number')
    return run.turns.some(({ number }) => number === interrupted) ? t.actual.notInterrupted : t.actual.noTurn
  if (degraded) {
    const kinds = new Set((run.chainEvents ?? []).flatMap(({ type, kind }) => (type === 'degraded' ? [kind] : [])))
    return kinds.size === 0
      ? t.actual.notDegraded
      : t.actual.degraded([...kinds].map((kind) => t.chains[kind]).join(', '))
  }
  return t.actual.ended(reason(run.endReason ?? ''))
}

/** Tool names are compared in the normalized form that the model sees. */
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const isSame = (one: string, other: string) => plain(one) === plain(other)
