// A tool that takes as long as its script says, counts its runs and has messages; and a call in which the caller asks
// for it.
import type { Clock, Tool, ToolMessage, ToolResult } from '../../src/voice/ports.ts'
import { type Script, type ScriptedCall, scriptedCall } from './scripted-call.ts'

export const uses = (name: string, args: unknown = {}) => ({ call: { id: `id-${name}`, name, args } })
export const ok = (text: string): ToolResult => ({ text, failed: false })

export type Spoken = Partial<ToolMessage> & { text: string; atMs?: number }
export type ScriptedTool = {
  name?: string
  /** How long the tool runs. */
  ms?: number
  result?: ToolResult | Error
  start?: Spoken
  complete?: Spoken
  failed?: Spoken
  delayed?: readonly Spoken[]
} & Pick<Tool, 'timeoutMs' | 'typicalMs'>

const message = (given?: Spoken) =>
  given ? { role: 'assistant' as const, isBlocking: false, endsCall: false, atMs: 0, ...given } : null

export function slowTool(clock: () => Clock, script: ScriptedTool = {}) {
  const { name = 'agenda', ms = 0, result = ok('às nove'), start, complete, failed, delayed, ...rest } = script
  const runs: { at: number; args: unknown; id: string }[] = []
  const tool: Tool & { runs: typeof runs } = {
    name,
    description: name,
    parameters: {},
    ...rest,
    messages: {
      start: () => message(start),
      complete: () => message(complete),
      failed: () => message(failed),
      delayed: () => (delayed ?? []).flatMap((each) => message(each) ?? []),
    },
    async run({ args, id }, _context, signal) {
      runs.push({ at: clock().now(), args, id })
      if (ms > 0) await clock().sleep(ms, signal)
      if (result instanceof Error) throw result
      return result
    },
    runs,
  }
  return tool
}

/** The model first calls the tool and then reports its result; `later` is its reply to further questions. */
export const usesOnce =
  (later?: NonNullable<Script['reply']>): NonNullable<Script['reply']> =>
  (to, turn, history) => {
    if (!history.some(({ calls }) => calls)) return [uses('agenda')]
    if (later) return later(to, turn, history)
    return `Achei: ${history.findLast(({ role }) => role === 'tool')?.content}.`
  }

/** A call in which the caller has just asked for something, and the model calls the tool. */
export async function askedFor(tool: ScriptedTool, script: Script = {}) {
  const agenda = slowTool(() => call.clock, tool)
  const call: ScriptedCall = scriptedCall({ reply: usesOnce(), tools: [agenda], ...script })
  await call.pass(2000)
  await call.says('Tem horário amanhã?', 1000)
  return { call, agenda }
}

/** What the caller heard of the agent since its opening. */
export const heardOf = (call: ScriptedCall) => call.heard.slice(1).map(({ text }) => text)

/** The longest silence between two sounds of the agent, counted from its first. */
export function longestGap(call: ScriptedCall, from = 1): number {
  const sounds = call.heard.slice(from)
  return Math.max(0, ...sounds.slice(1).map((sound, i) => sound.from - (sounds[i]?.to ?? 0)))
}
