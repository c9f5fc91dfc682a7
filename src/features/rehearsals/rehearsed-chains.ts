// The agent's chains in a rehearsal: its links on the virtual clock, with separate breakers that trip during a
// simulated outage.
import { EMBEDDED_ID } from '../../base/domain/provider-kinds.ts'
import { normalizeNumber } from '../../base/phone-numbers/phone-number.ts'
import { createBreakers } from '../../failover/breakers.ts'
import { llmChain } from '../../failover/llm-chain.ts'
import type { ChainEvent, ChainLink } from '../../failover/ports.ts'
import { sttChain } from '../../failover/stt-chain.ts'
import { ttsChain } from '../../failover/tts-chain.ts'
import { messageTaker } from '../../llm/message-taker.ts'
import { clockedLlm, clockedSay, clockedStt } from '../../simulation/clocked-engines.ts'
import { failingInOutage } from '../../simulation/outages.ts'
import type { ChainedEngines, ChainScene } from '../../simulation/run.ts'
import type { Llm, Speaker, Stt, Tts } from '../../voice/ports.ts'
import type { AgentLinks } from '../providers/port.ts'

export type RehearsedChainsParts = {
  links: AgentLinks
  /** Whether real recognition and a real voice are used. */
  isHeard: boolean
  isSpoken: boolean
  /** The caller's number; null if unknown. */
  ownNumber: string | null
}

export const rehearsedChains =
  ({ links, isHeard, isSpoken, ownNumber }: RehearsedChainsParts) =>
  (scene: ChainScene): ChainedEngines => {
    const { clock, timing } = scene
    const breakers = createBreakers({
      now: () => clock.now(),
      wallMs: () => 0,
      sleep: (ms, signal) => clock.sleep(ms, signal),
    })
    const onEvent = (event: ChainEvent) => scene.onEvent(event)
    const chained = { breakers, onEvent, clock }
    const hasModel = links.llm.some(({ engine }) => engine.isModel)
    const own = ownNumber === null ? null : normalizeNumber(ownNumber)
    const taker = messageTaker({ ownNumber: own, medium: 'voice', onMessage: () => {} })

    const llmOf = (link: ChainLink<Llm>): Llm => {
      // The rule agent takes no virtual time.
      if (link.id === EMBEDDED_ID) return clockedLlm(hasModel ? taker : link.engine, clock, 0)
      const llm = clockedLlm(link.engine, clock, timing.modelMs ?? undefined)
      return {
        ...llm,
        reply: (...asked) => failingInOutage(fault(scene, 'llm', link), () => llm.reply(...asked)),
      }
    }
    const sttOf = (link: ChainLink<Stt>): Stt => {
      const stt = isHeard ? clockedStt(link.engine, clock, timing.recognitionMs ?? undefined) : scene.stt
      if (link.id === EMBEDDED_ID) return { ...stt, isEmbedded: true }
      return {
        ...stt,
        transcribe: (...asked) => failingInOutage(fault(scene, 'stt', link), () => stt.transcribe(...asked)),
      }
    }
    const speakerOf = (link: ChainLink<Speaker>): Speaker => {
      const tts = isSpoken ? clockedTts(link.engine.tts, scene) : scriptedTts(link.engine, scene)
      if (link.id === EMBEDDED_ID) return { ...link.engine, tts }
      const speak: Tts['speak'] = (...asked) => failingInOutage(fault(scene, 'tts', link), () => tts.speak(...asked))
      return { ...link.engine, tts: { ...tts, speak } }
    }
    const tts = ttsChain({ ...chained, links: links.tts.map((link) => ({ ...link, engine: speakerOf(link) })) })
    return {
      llm: llmChain({ ...chained, links: links.llm.map((link) => ({ ...link, engine: llmOf(link) })) }),
      stt: sttChain({ ...chained, links: links.stt.map((link) => ({ ...link, engine: sttOf(link) })) }),
      say: tts.say,
      sentenceTries: tts.sentenceTries,
      close: () => breakers.close(),
    }
  }

const fault = <K extends 'llm' | 'stt' | 'tts'>({ outages }: ChainScene, kind: K, { name }: { name: string }) => ({
  outages,
  kind,
  service: name,
})

const clockedTts = (tts: Tts, { clock, timing }: ChainScene): Tts => ({
  ...tts,
  speak: (text, options, signal) =>
    clockedSay((words, stop) => tts.speak(words, options, stop), clock, timing.synthesisMs ?? undefined)(text, signal),
})

/** The scripted voice, regardless of the link's own voice. */
const scriptedTts = ({ voiceId, language }: Speaker, { say }: ChainScene): Tts => ({
  name: 'script',
  voices: async () => [{ id: voiceId ?? 'script', name: 'Script', language, gender: null, description: null }],
  speak: (text, _options, signal) => say(text, signal),
})
