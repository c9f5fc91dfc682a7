// The speech service: loads the embedded engines in the background and binds each API provider to an engine or vendor.
import type { Log } from '../base/process/log.ts'
import type { SpeechConfig, TtsProvider } from '../config/config.ts'
import type { Stt, Tts, TurnModel, Vad } from '../voice/ports.ts'
import { embeddedVoice } from './embedded.ts'
import {
  type EngineParts,
  embeddedRecognition,
  type LoadedNaturalVoice,
  openFallbackVoice,
  openNaturalVoice,
  turnModel,
  voiceActivityDetection,
} from './embedded-engines.ts'
import type { Closable } from './on-first-use.ts'
import { makeStt, makeTts, type VendorToken } from './registry.ts'
import { type SpeechCache, speechCache } from './tts/cache.ts'
import { cachedTts } from './tts/cached.ts'
import type { EspeakTts } from './tts/espeak.ts'
import { withUuids } from './voice-uuids.ts'

export type Slot = Tts & { token?(signal: AbortSignal): Promise<VendorToken> }

/** State of the embedded voices. */
export type VoiceState = {
  /** The voice that a call starting now would get. */
  speaking: 'natural' | 'small' | 'vendor' | 'none'
  /** Progress of preparation; null when none is running. */
  preparingPercent: number | null
  /** Why the configured natural voice is unavailable. */
  trouble: string | null
}

export type SpeechService = {
  slots: Readonly<Record<'provider_a' | 'provider_b' | 'provider_c', Slot>>
  /** As STT_PROVIDER says. */
  stt: Stt
  /** The engines inside the platform, whatever the slots are bound to: the last link of every chain. */
  embedded: { tts: Tts; stt: Stt; isVendor(): boolean }
  /** A vendor whose key the environment sets; one engine for each. */
  vendorTts(name: Exclude<TtsProvider, 'embedded'>): Slot
  /** Keeps the phrases that `tts` has spoken; `owner` separates those of two accounts of one vendor. */
  remembering(tts: Tts, owner: string): Tts
  /** Loaded on first use. */
  vad(): Promise<Vad>
  /** Undefined when none is configured or it fails to load (logged once): endpointing then uses the transcript alone. */
  turnModel(): Promise<TurnModel | undefined>
  /** Loads speech recognition before the first call needs it. */
  warmUpRecognition(): Promise<void>
  state(): VoiceState
  /** Resolves when the natural voice is ready or has failed. */
  settled: Promise<void>
  close(): Promise<void>
}

export type SpeechParts = {
  /** By default an empty one of the configured size. */
  cache?: SpeechCache | undefined
  /** The natural voices to prepare; all by default. */
  naturalVoices?: readonly string[] | undefined
}

export function openSpeech(
  config: SpeechConfig,
  log: Log,
  { cache = speechCache(config.cacheBytes), naturalVoices }: SpeechParts = {},
): SpeechService {
  const stopping = new AbortController()
  const parts: EngineParts = { config, log, signal: stopping.signal }
  const voices = embeddedVoices(parts, cache, naturalVoices)
  const recognition = embeddedRecognition(parts)
  const vad = voiceActivityDetection(parts)
  const turns = turnModel(parts)
  const opened: Closable[] = []

  const vendors = new Map<TtsProvider, Slot>()
  function vendorTts(name: Exclude<TtsProvider, 'embedded'>): Slot {
    const known = vendors.get(name)
    if (known) return known
    const tts = makeTts(name, config)
    opened.push(tts)
    const { speak, knows } = cachedTts(tts, cache)
    const slot = { ...tts, speak, knows }
    vendors.set(name, slot)
    return slot
  }
  const slot = (name: keyof SpeechConfig['slots']): Slot => {
    const bound = config.slots[name]
    return bound === 'embedded' ? voices.tts : vendorTts(bound)
  }
  function recognizer(): Stt {
    if (config.stt === 'embedded') return recognition.stt
    const stt = makeStt(config.stt, config)
    opened.push(stt)
    return stt
  }

  return {
    slots: {
      provider_a: slot('provider_a'),
      provider_b: slot('provider_b'),
      provider_c: withUuids(slot('provider_c')),
    },
    stt: recognizer(),
    embedded: { tts: voices.tts, stt: recognition.stt, isVendor: voices.isVendor },
    vendorTts,
    remembering(tts, owner) {
      const { speak, knows } = cachedTts({ ...tts, name: `${tts.name} ${owner}` }, cache)
      return { ...tts, speak, knows }
    },
    vad: vad.get,
    turnModel: turns.get,
    async warmUpRecognition() {
      await vad.get()
      await turns.get()
      await voices.settled // synthesis first: preparing both at once delays both
      // Behind a vendor too: it takes over when the vendor fails, and a caller cannot wait for it to load.
      if (!stopping.signal.aborted) await recognition.engine.get()
    },
    state: voices.state,
    settled: voices.settled,
    async close() {
      stopping.abort()
      for (const engine of [voices, recognition.engine, vad, turns, ...opened]) await engine.close?.()
    },
  }
}

/** The natural and the fallback voice as one, opened in the background, and a vendor's where neither can be. */
function embeddedVoices(parts: EngineParts, cache: SpeechCache, naturalVoices: SpeechParts['naturalVoices']) {
  const { config, log, signal } = parts
  const isUsed = Object.values(config.slots).includes('embedded')
  const isPrepared = isUsed && config.embedded === 'natural'
  const vendor = vendorWithKey(config)
  let natural: LoadedNaturalVoice | undefined
  let fallback: EspeakTts | undefined
  let preparingPercent: number | null = isPrepared ? 0 : null
  let trouble: string | null = null
  let lastReason = ''
  const openedFallback = openFallbackVoice(parts).then((opened) => {
    fallback = opened
    return opened
  })

  async function prepare(): Promise<void> {
    await openedFallback // load the quick one first: it speaks while this one is prepared
    const onProgress = (percent: number) => {
      preparingPercent = percent
    }
    try {
      const opened = await openNaturalVoice({ ...parts, cache, voices: naturalVoices, onProgress })
      if ('missing' in opened) trouble = opened.missing
      else natural = opened
    } catch (err) {
      if (signal.aborted) return
      trouble = 'it could not be opened; the log says why'
      log.error({ err }, 'failed to load the natural voice; using the fallback voice')
    } finally {
      preparingPercent = null
    }
  }
  const settled = isPrepared ? prepare() : Promise.resolve()

  function speaking(): VoiceState['speaking'] {
    if (!isUsed) return 'vendor'
    if (natural) return 'natural'
    if (fallback) return 'small'
    return vendor ? 'vendor' : 'none'
  }
  return {
    tts: embeddedVoice({
      natural: () => natural,
      small: () => openedFallback,
      vendor,
      onDegraded: (reason) => {
        if (reason !== lastReason) log.info({ reason }, 'natural voice not in use')
        lastReason = reason
      },
    }),
    isVendor: () => !natural && !fallback,
    state: (): VoiceState => ({ speaking: speaking(), preparingPercent, trouble }),
    settled,
    async close(): Promise<void> {
      await settled
      await natural?.close()
      await (await openedFallback)?.close()
    },
  }
}

/** The first vendor that can speak when no embedded engine can. */
function vendorWithKey(config: SpeechConfig): Tts | undefined {
  const keys = { azure: config.azure, elevenlabs: config.elevenLabs, cartesia: config.cartesia, openai: config.openAi }
  for (const name of Object.keys(keys) as (keyof typeof keys)[])
    if (keys[name].apiKey !== null) return makeTts(name, config)
  return undefined
}
