// Checks of a rehearsal script that a schema cannot express: which fields go together, and whether its patterns are
// usable.
import { appError } from '../../base/errors/errors.ts'
import { type Patterns, patternCompiler } from '../../base/text/linear-patterns.ts'
import type { KeyGrant } from '../../http/auth.ts'
import type { NewRehearsal } from './schema.ts'

const deeds = ['says', 'waits', 'presses', 'noise', 'hangsUp', 'outage'] as const
const claims = [
  'said',
  'heard',
  'toolRan',
  'toolNotRan',
  'turnUnderMs',
  'interrupted',
  'endReason',
  'degraded',
] as const
/** The fields that may accompany each one. */
const beside: Readonly<Record<string, readonly string[]>> = {
  says: ['ms', 'audio', 'afterMs', 'interruptsAfterMs'],
  waits: [],
  presses: ['afterMs', 'interruptsAfterMs'],
  noise: ['afterMs', 'interruptsAfterMs'],
  hangsUp: ['afterMs', 'interruptsAfterMs'],
  outage: ['afterMs', 'interruptsAfterMs'],
  said: [],
  heard: [],
  toolRan: ['args', 'times'],
  toolNotRan: [],
  turnUnderMs: ['turn'],
  interrupted: [],
  endReason: [],
  degraded: [],
}

const isGiven = (value: unknown) => value !== undefined && value !== null

export function checkRehearsal(asked: NewRehearsal): void {
  const { steps, expect, tools, replayOf, agentId, mode } = asked
  if (!isGiven(agentId) && !isGiven(replayOf)) throw appError('rehearsal_agent_missing')
  if (isGiven(replayOf) && isGiven(steps)) throw appError('rehearsal_replay_steps')
  if (!isGiven(replayOf) && !isGiven(steps)) throw appError('rehearsal_steps_missing')
  for (const [i, step] of (steps ?? []).entries()) {
    oneOf(step, deeds, `steps.${i}`)
    if (step.hangsUp === false) throw appError('rehearsal_hang_up', { step: i })
    if (isGiven(step.afterMs) && isGiven(step.interruptsAfterMs)) throw appError('rehearsal_two_times', { step: i })
    if (isGiven(step.audio) && mode !== 'audio') throw appError('rehearsal_audio_mode', { step: i })
  }
  const patterns = patternCompiler()
  for (const [i, each] of (expect ?? []).entries()) {
    oneOf(each, claims, `expect.${i}`)
    for (const name of ['said', 'heard'] as const) {
      const words = each[name]
      if (!words) continue
      if (![words.contains, words.matches, words.not].some(isGiven))
        throw appError('rehearsal_expectation_empty', { index: i, name })
      if (typeof words.matches === 'string') checkPattern(patterns, words.matches, `expect.${i}.${name}.matches`)
    }
  }
  for (const [name, tool] of Object.entries(tools ?? {}))
    if (isGiven(tool.error) && isGiven(tool.result)) throw appError('rehearsal_tool_both', { name })
}

function oneOf(given: object, names: readonly string[], where: string): void {
  const found = Object.entries(given).flatMap(([name, value]) => (isGiven(value) ? [name] : []))
  const main = found.filter((name) => names.includes(name))
  if (main.length !== 1) throw appError('rehearsal_exactly_one', { field: where, names: names.join(', ') })
  const stray = found.find((name) => name !== main[0] && !beside[main[0] as string]?.includes(name))
  if (stray) throw appError('rehearsal_stray', { field: where, stray, main: main[0] ?? '' })
}

function checkPattern({ compile }: Patterns, pattern: string, where: string): void {
  try {
    compile(pattern)
  } catch {
    throw appError('rehearsal_pattern', { field: where })
  }
}

/** Requires the right to read transcripts, since a replay reveals one. */
export function mayHear(grant: KeyGrant | null): void {
  const scopes = grant?.scopes ?? null
  if (scopes === null || scopes.has('calls') || scopes.has('conversations')) return
  throw appError('replay_scope_missing')
}
