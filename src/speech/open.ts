// The speech service: loads the embedded engines in the background and binds each API provider to an engine or vendor.
// Engines are imported when first needed: a server that only uses a vendor's voice does not hold them in memory.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { appError } from '../base/errors/errors.ts'
import { countFault } from '../base/errors/faults.ts'
import type { Log } from '../base/process/log.ts'
import type { SpeechConfig, TtsProvider } from '../config/config.ts'
import type { Stt, Tts, TurnModel, Vad } from '../voice/ports.ts'
import { type SpeechCache, speechCache } from './cache.ts'
import { cachedTts } from './cached.ts'
import { embeddedVoice, type NaturalVoice } from './embedded.ts'
import type { KokoroTts } from './kokoro/kokoro.ts'
import { type Closable, makeStt, makeTts, type VendorToken } from './registry.ts'
import type { EspeakTts } from './tts/espeak.ts'
import type { LocalTurnModel } from './turn-model/turn-model.ts'
import type { SileroVad } from './vad/silero.ts'
import { withUuids } from './voice-uuids.ts'
import type { WhisperStt } from './whisper/whisper.ts'

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
  const ownFolder = (name: string) => {
    const path = config.ownModels ? join(config.ownModels, name) : undefined
    return path && existsSync(path) ? path : undefined
  }
  const isUsed = config.embedded !== 'off' && Object.values(config.slots).includes('embedded')
  /** The quick voice is small enough to wait for the day when a vendor fails. */
  const hasLastVoice = config.embedded !== 'off'

  let kokoro: (KokoroTts & NaturalVoice) | undefined
  let preparingPercent: number | null = isUsed && config.embedded === 'natural' ? 0 : null
  let trouble: string | null = null
  let hasSmall = false
  const small: Promise<EspeakTts | undefined> = hasLastVoice
    ? import('./tts/espeak.ts')
        .then((engine) => engine.openEspeakTts())
        .then((opened) => {
          hasSmall = true
          return opened
        })
        .catch((err: unknown) => {
          log.warn({ err }, 'no fallback voice: the espeak-ng package is not installed')
          return undefined
        })
    : Promise.resolve(undefined)

  async function openNatural(): Promise<void> {
    await small // load the quick one first: it speaks while this one is prepared
    const { findKokoro } = await import('./kokoro/packages.ts')
    const found = findKokoro(ownFolder('kokoro'))
    if ('missing' in found) {
      trouble = 'its optional packages are not installed'
      return log.warn({ missing: found.missing }, 'no natural voice: optional packages are not installed')
    }
    const folder = join(config.modelsDir, 'kokoro')
    let told = -1
    const { prepareKokoro } = await import('./kokoro/prepare.ts')
    await prepareKokoro(
      folder,
      found.packages,
      ({ fraction, step }) => {
        preparingPercent = Math.floor(fraction * 100)
        const percent = Math.floor(fraction * 10) * 10
        if (percent > told)
          log.info({ percent, step }, 'preparing the natural voice; using the fallback voice meanwhile')
        told = Math.max(told, percent)
      },
      stopping.signal,
      naturalVoices,
    )
    const { openKokoroTts } = await import('./kokoro/kokoro.ts')
    const opened = await openKokoroTts({ folder, packages: found.packages })
    const remembering = cachedTts(opened, cache)
    kokoro = { ...opened, speak: remembering.speak, knows: remembering.knows }
    log.info({ way: opened.way }, 'natural voice ready')
  }
  const settled =
    isUsed && config.embedded === 'natural'
      ? openNatural()
          .catch((err: unknown) => {
            if (stopping.signal.aborted) return
            trouble = 'it could not be opened; the log says why'
            log.error({ err }, 'failed to load the natural voice; using the fallback voice')
          })
          .finally(() => {
            preparingPercent = null
          })
      : Promise.resolve()

  const vendor = vendorWithKey(config)
  function speaking(): VoiceState['speaking'] {
    if (!Object.values(config.slots).includes('embedded')) return 'vendor'
    if (kokoro) return 'natural'
    if (hasSmall) return 'small'
    return vendor ? 'vendor' : 'none'
  }

  let lastReason = ''
  const embedded = embeddedVoice({
    natural: () => kokoro,
    small: () => small,
    vendor,
    onDegraded: (reason) => {
      if (reason !== lastReason) log.info({ reason }, 'natural voice not in use')
      lastReason = reason
    },
  })
  const opened: Closable[] = []
  const vendors = new Map<TtsProvider, Slot>()
  function vendorTts(name: Exclude<TtsProvider, 'embedded'>): Slot {
    const known = vendors.get(name)
    if (known) return known
    const tts = makeTts(name, config, embedded)
    opened.push(tts)
    const { speak, knows } = cachedTts(tts, cache)
    const slot = { ...tts, speak, knows }
    vendors.set(name, slot)
    return slot
  }
  const slot = (name: keyof SpeechConfig['slots']): Slot => {
    const bound = config.slots[name]
    return bound === 'embedded' ? embedded : vendorTts(bound)
  }

  let whisper: Promise<WhisperStt> | undefined
  let isWhisperReady = false
  const embeddedEars: Stt = {
    name: 'embedded',
    isEmbedded: true,
    get isReady() {
      return isWhisperReady
    },
    async *transcribe(audio, options, signal) {
      yield* (await openWhisperOnce()).transcribe(audio, options, signal)
    },
  }
  function openWhisperOnce(): Promise<WhisperStt> {
    whisper ??= openEars(config, stopping.signal, ownFolder('whisper')).then((engine) => {
      isWhisperReady = true
      return engine
    })
    return whisper
  }
  const stt = makeStt(config.stt, config, embeddedEars)
  if (stt !== embeddedEars) opened.push(stt)
  let silero: Promise<SileroVad> | undefined
  function vadFault(err: unknown): void {
    countFault('vad')
    log.error({ err }, 'voice activity detection failed; calls continue with the last result')
  }
  function openVad(): Promise<SileroVad> {
    silero ??= import('./vad/silero.ts').then((engine) => engine.openSilero(ownFolder('silero_vad.onnx'), vadFault))
    return silero
  }
  let turns: Promise<LocalTurnModel | undefined> | undefined
  function openTurns(): Promise<LocalTurnModel | undefined> {
    const file = config.turnModel
    turns ??= file
      ? import('./turn-model/turn-model.ts')
          .then((engine) => engine.openTurnModel(file))
          .catch((err: unknown) => {
            log.error({ err }, 'failed to load the turn model (TURN_MODEL); endpointing uses the transcript alone')
            return undefined
          })
      : Promise.resolve(undefined)
    return turns
  }

  return {
    slots: {
      provider_a: slot('provider_a'),
      provider_b: slot('provider_b'),
      provider_c: withUuids(slot('provider_c')),
    },
    stt,
    embedded: { tts: embedded, stt: embeddedEars, isVendor: () => !kokoro && !hasSmall },
    vendorTts,
    remembering(tts, owner) {
      const { speak, knows } = cachedTts({ ...tts, name: `${tts.name} ${owner}` }, cache)
      return { ...tts, speak, knows }
    },
    vad: openVad,
    turnModel: openTurns,
    async warmUpRecognition() {
      await openVad()
      await openTurns()
      await settled // synthesis first: preparing both at once delays both
      // Behind a vendor too: it takes over when the vendor fails, and a caller cannot wait for it to load.
      if (!stopping.signal.aborted) await openWhisperOnce()
    },
    state: () => ({ speaking: speaking(), preparingPercent, trouble }),
    settled,
    async close() {
      stopping.abort()
      await settled
      const engines = [kokoro, await small, await whisper?.catch(() => undefined), await silero?.catch(() => undefined)]
      for (const engine of [...engines, await turns, ...opened]) await engine?.close?.()
    },
  }
}

async function openEars(config: SpeechConfig, signal: AbortSignal, own: string | undefined): Promise<WhisperStt> {
  const folder = join(config.modelsDir, 'whisper')
  try {
    const { prepareWhisper } = await import('./whisper/prepare.ts')
    const { openWhisper } = await import('./whisper/whisper.ts')
    await prepareWhisper(folder, () => {}, signal, own)
    return await openWhisper({ folder })
  } catch (cause) {
    throw appError('speech_recognition_missing', {}, { cause })
  }
}

/** The first vendor that can speak when no embedded engine can. */
function vendorWithKey(config: SpeechConfig): Tts | undefined {
  const keys = { azure: config.azure, elevenlabs: config.elevenLabs, cartesia: config.cartesia, openai: config.openAi }
  for (const [name, { apiKey }] of Object.entries(keys))
    if (apiKey !== null) return makeTts(name as keyof typeof keys, config, undefined as never)
  return undefined
}
