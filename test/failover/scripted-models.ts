// Scripted language models on a virtual clock, and chains of them.
import assert from 'node:assert/strict'
import { AppError, appError } from '../../src/base/errors/errors.ts'
import { createBreakers } from '../../src/failover/breakers.ts'
import { llmChain } from '../../src/failover/llm-chain.ts'
import type { ChainEvent, ChainLink } from '../../src/failover/ports.ts'
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'
import type { Llm, LlmPart, Message } from '../../src/voice/ports.ts'

export type Script = (signal: AbortSignal, history: readonly Message[]) => AsyncIterable<LlmPart>
export type Stage = ReturnType<typeof stage>

export function stage() {
  const clock = new VirtualClock()
  const breakers = createBreakers({ now: () => clock.now(), wallMs: () => 0, sleep: (ms, s) => clock.sleep(ms, s) })
  const asked: string[] = []
  const histories: (readonly Message[])[] = []
  const events: ChainEvent[] = []
  const link = (id: string, script: Script, isModel = id !== 'embedded'): ChainLink<Llm> => ({
    id,
    version: '1',
    name: `Account ${id}`,
    model: `model-${id}`,
    engine: {
      name: id,
      isModel,
      reply(history, _tools, _options, signal) {
        asked.push(id)
        histories.push(history)
        return script(signal, history)
      },
    },
  })
  const chain = (...links: ChainLink<Llm>[]) =>
    llmChain({ links, breakers, clock, onEvent: (event) => void events.push(event) })
  const types = () => events.flatMap((event) => (event.type === 'served' ? [] : [event.type]))
  return { clock, breakers, asked, histories, events, link, chain, types }
}

export const saying = (...words: string[]): Script =>
  async function* () {
    for (const say of words) yield { say }
  }
export const failing = (error: unknown, ...words: string[]): Script =>
  async function* () {
    for (const say of words) yield { say }
    throw error
  }
export const broken = new AppError('upstream', 'It failed', {
  code: 'service_connection_broke',
  params: { service: 'a' },
})
export const refused = appError('service_key_refused', { service: 'a' })

/** Says these words at these times, then stalls until aborted. */
export const timed = ({ clock }: Stage, words: readonly [number, string][], ends = false): Script =>
  async function* (signal) {
    const startedAt = clock.now()
    for (const [atMs, say] of words) {
      await clock.sleep(startedAt + atMs - clock.now(), signal)
      if (signal.aborted) return
      yield { say }
    }
    if (!ends) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  }
export const silent = (at: Stage) => timed(at, [])

export const history: Message[] = [{ role: 'user', content: 'Hi' }]
export const never = new AbortController().signal
export const said = (parts: readonly LlmPart[]) => parts.map((part) => ('say' in part ? part.say : '()')).join('')

/** The reply and how long it took on the virtual clock. */
export async function replyOf({ clock }: Stage, llm: Llm, signal = never): Promise<{ text: string; ms: number }> {
  const startedAt = clock.now()
  let result: { text: string; ms: number } | { error: unknown } | undefined
  Array.fromAsync(llm.reply(history, [], { language: 'en' }, signal)).then(
    (parts) => {
      result = { text: said(parts), ms: clock.now() - startedAt }
    },
    (error) => {
      result = { error }
    },
  )
  await clock.passUntil(() => result !== undefined, clock.now() + 200_000)
  assert.ok(result, 'it ended')
  if ('error' in result) throw result.error
  return result
}
