// The vendors of an agent in outage tests: a language model, a recognizer and a voice with their real protocols, each
// behind a proxy that can cut it off.
import { startDeepgram } from '../vendors/deepgram.ts'
import { voices as elevenLabsVoices, startElevenLabs } from '../vendors/elevenlabs.ts'
import { type FaultProxy, type Outage, startFaults } from '../vendors/faults.ts'
import { type ChatRequest, startLlm } from '../vendors/llm.ts'
import { voices as openAiVoices, startOpenAi } from '../vendors/openai.ts'
import { KEY, type VendorServer } from '../vendors/server.ts'

export const chainKinds = ['llm', 'stt', 'tts'] as const
export type ChainKind = (typeof chainKinds)[number]

/** Speech is generated slightly faster than real time (24 kHz, 16 bits), so that a cut mid-sentence is one. */
const VOICE_BYTES_PER_SECOND = 24_000 * 2 * 1.4
const FIRST_WORD_MS = 250
/** Words are written faster than they are spoken (240 ms), but not all at once. */
const WORD_MS = 60

export const OPENING = 'Clínica Vida, bom dia.'
export const STORY = [
  'A clínica é antiga.',
  'Ela foi fundada há trinta anos por duas irmãs que queriam cuidar das famílias do bairro.',
  'Desde então ela cresceu muito e ganhou novos médicos e uma sala de espera maior.',
]
const story = STORY.join(' ')

/** The model greets, then tells the story; asked to continue, it goes on from the words so far. */
export function tellStory({ messages }: ChatRequest): { say: string } {
  if (!messages.some(({ role, content }) => role === 'user' && content)) return { say: OPENING }
  const [before, last] = messages.slice(-2)
  const isBrokenOff = before?.role === 'assistant' && last?.content?.includes('interrupted by a technical fault')
  const said = isBrokenOff ? (before.content ?? '').trim() : ''
  return { say: story.startsWith(said) ? story.slice(said.length).trimStart() : story }
}

export type Account = { kind: ChainKind; vendor: string; name: string; baseUrl: string; model: string; apiKey: string }
type Behind = { server: VendorServer; proxy: FaultProxy; account: Account }

export type Vendors = Awaited<ReturnType<typeof startVendors>>

/** `second`: separate vendors for the next link of each chain. */
export async function startVendors(which: 'first' | 'second' = 'first') {
  const isFirst = which === 'first'
  const [llm, stt, tts] = await Promise.all([
    startLlm({ answer: tellStory, firstMs: FIRST_WORD_MS, wordMs: WORD_MS }),
    isFirst ? startDeepgram() : startOpenAi(),
    isFirst ? startElevenLabs() : startOpenAi(),
  ])
  const voice = { bytesPerSecond: VOICE_BYTES_PER_SECOND }
  const proxies = [await startFaults(llm), await startFaults(stt), await startFaults(tts, voice)] as const
  const versioned = isFirst ? '' : '/v1'
  const account = (kind: ChainKind, vendor: string, model: string, path: string): Account => ({
    kind,
    vendor,
    model,
    name: `${vendor} ${kind} ${which}`,
    apiKey: KEY,
    baseUrl: `${proxies[chainKinds.indexOf(kind)]?.url}${path}`,
  })
  const of: Record<ChainKind, Behind> = {
    llm: { server: llm, proxy: proxies[0], account: account('llm', 'openai', 'stand-in', '/v1') },
    stt: {
      server: stt,
      proxy: proxies[1],
      account: account('stt', isFirst ? 'deepgram' : 'openai', isFirst ? 'nova-3' : 'whisper-1', versioned),
    },
    tts: {
      server: tts,
      proxy: proxies[2],
      account: account('tts', isFirst ? 'elevenlabs' : 'openai', isFirst ? 'eleven_flash_v2_5' : 'tts-1', versioned),
    },
  }
  return {
    of,
    voiceId: (isFirst ? elevenLabsVoices[0]?.voice_id : openAiVoices[0]) ?? '',
    /** Cuts off one vendor or all of them. */
    async cut(target: ChainKind | 'all', outage: Outage | null): Promise<void> {
      await Promise.all(
        chainKinds.filter((kind) => target === 'all' || kind === target).map((kind) => of[kind].proxy.set(outage)),
      )
    },
    async stop(): Promise<void> {
      await Promise.all(Object.values(of).map(({ proxy }) => proxy.stop()))
      await Promise.all(Object.values(of).map(({ server }) => server.stop()))
    },
  }
}
