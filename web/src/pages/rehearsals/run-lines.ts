// The transcript of a run as lines, interleaved with its tool calls. Pure.
import type { Rehearsal } from '../../../../client/paths.ts'
import type { Entry } from '../../components/transcript-lines.ts'

export function runLines({ id, startedAt, transcript, toolCalls, turns }: Rehearsal): Entry[] {
  const startedMs = Date.parse(startedAt)
  const at = (ms: number) => new Date(startedMs + ms).toISOString()
  const lines = transcript.map(({ who, text, fromMs, toMs, isCut }, i): Entry & { ms: number } => {
    const turn = who === 'agent' ? turns.find((each) => each.agent === text) : undefined
    const waitedMs = turn?.latency.totalMs ?? null
    return { kind: 'line', id: `${id}-${i}`, who, text, at: at(fromMs), fromMs, toMs, isCut, waitedMs, ms: fromMs }
  })
  const tools = toolCalls.map(({ name, failed, atMs, args, result }, i): Entry & { ms: number } => ({
    kind: 'tool',
    id: `${id}-tool-${i}`,
    at: at(atMs),
    ms: atMs,
    call: { name, status: failed ? 'failed' : 'done', arguments: args as Record<string, unknown>, result },
  }))
  return [...lines, ...tools].sort((a, b) => a.ms - b.ms).map(({ ms, ...entry }) => entry as Entry)
}
