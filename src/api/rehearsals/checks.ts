// Checks of a rehearsal's script that a schema cannot express: which fields go together, and whether its patterns are usable.
import { AppError } from '../../base/errors.ts'
import { patternCompiler } from '../../base/linear-patterns.ts'
import type { NewRehearsal } from './schema.ts'

const deeds = ['says', 'waits', 'presses', 'noise', 'hangsUp'] as const
const claims = ['said', 'heard', 'toolRan', 'toolNotRan', 'turnUnderMs', 'interrupted', 'endReason'] as const
/** The fields that may accompany each. */
const beside: Readonly<Record<string, readonly string[]>> = {
  says: ['ms', 'audio', 'afterMs', 'interruptsAfterMs'],
  waits: [],
  presses: ['afterMs', 'interruptsAfterMs'],
  noise: ['afterMs', 'interruptsAfterMs'],
  hangsUp: ['afterMs', 'interruptsAfterMs'],
  said: [],
  heard: [],
  toolRan: ['args', 'times'],
  toolNotRan: [],
  turnUnderMs: ['turn'],
  interrupted: [],
  endReason: [],
}

const isGiven = (value: unknown) => value !== undefined && value !== null
const invalid = (message: string) => new AppError('invalid', message)

export function checkRehearsal(asked: NewRehearsal): void {
  const { steps, expect, tools, replayOf, agentId, mode } = asked
  if (!isGiven(agentId) && !isGiven(replayOf)) throw invalid('agentId is required')
  if (isGiven(replayOf) && isGiven(steps)) throw invalid('replayOf has its steps from the call: leave steps out')
  if (!isGiven(replayOf) && !isGiven(steps)) throw invalid('steps is required')
  for (const [i, step] of (steps ?? []).entries()) {
    oneOf(step, deeds, `steps.${i}`)
    if (step.hangsUp === false) throw invalid(`steps.${i}.hangsUp must be true`)
    if (isGiven(step.afterMs) && isGiven(step.interruptsAfterMs))
      throw invalid(`steps.${i} must not have both afterMs and interruptsAfterMs`)
    if (isGiven(step.audio) && mode !== 'audio') throw invalid(`steps.${i}.audio is for mode audio`)
  }
  const compile = patternCompiler()
  for (const [i, each] of (expect ?? []).entries()) {
    oneOf(each, claims, `expect.${i}`)
    for (const name of ['said', 'heard'] as const) {
      const words = each[name]
      if (!words) continue
      if (![words.contains, words.matches, words.not].some(isGiven))
        throw invalid(`expect.${i}.${name} needs contains, matches or not`)
      if (typeof words.matches === 'string') checkPattern(compile, words.matches, `expect.${i}.${name}.matches`)
    }
  }
  for (const [name, tool] of Object.entries(tools ?? {}))
    if (isGiven(tool.error) && isGiven(tool.result)) throw invalid(`tools.${name} has either a result or an error`)
}

function oneOf(given: object, names: readonly string[], where: string): void {
  const found = Object.entries(given).flatMap(([name, value]) => (isGiven(value) ? [name] : []))
  const main = found.filter((name) => names.includes(name))
  if (main.length !== 1) throw invalid(`${where} must have exactly one of ${names.join(', ')}`)
  const stray = found.find((name) => name !== main[0] && !beside[main[0] as string]?.includes(name))
  if (stray) throw invalid(`${where}.${stray} does not go with ${main[0]}`)
}

function checkPattern(compile: (pattern: string) => unknown, pattern: string, where: string): void {
  try {
    compile(pattern)
  } catch {
    throw invalid(`${where} is no regular expression that can be used, or is too large`)
  }
}
