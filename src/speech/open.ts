// The speech service: loads the embedded engines in the background and binds each API provider to an engine or vendor.
// Engines are imported when first needed: a server that only uses a vendor's voice does not hold them in memory.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../base/errors.ts'
import { countFault } from '../base/faults.ts'
import type { Log } from '../base/log.ts'
import type { SpeechConfig } from '../config/config.ts'
import type { Stt, Tts, TurnModel, Vad } from '../voice/ports.ts'
import { speechCache } from './cache.ts'
import { cachedTts } from './cached.ts'
import { embeddedVoice, type NaturalVoice } from './embedded.ts'
import type { KokoroTts } from './kokoro/kokoro.ts'
import { type Closable, makeStt, makeTts, type VendorToken } from './registry.ts'
import type { EspeakTts } from './tts/espeak.ts'
import type { LocalTurnModel } from './turn/turn-model.ts'
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
  stt: Stt
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

export function openSpeech(config: SpeechConfig, log: Log): SpeechService {
  const stopping = new AbortController()
  const cache = speechCache(config.cacheBytes)
  const ownFolder = (name: string) => {
    const path = config.ownModels ? join(config.ownModels, name) : undefined
    return path && existsSync(path) ? path : undefined
  }
  const isUsed = config.embedded !== 'off' && Object.values(config.slots).includes('embedded')

  let kokoro: (KokoroTts & NaturalVoice) | undefined
  let preparingPercent: number | null = isUsed && config.embedded === 'natural' ? 0 : null
  let trouble: string | null = null
  let hasSmall = false
  const small: Promise<EspeakTts | undefined> = isUsed
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
  const slot = (name: keyof SpeechConfig['slots']): Slot => {
    const tts = makeTts(config.slots[name], config, embedded)
    if (tts !== embedded) opened.push(tts)
    return tts === embedded ? embedded : { ...tts, speak: cachedTts(tts, cache).speak }
  }

  let whisper: Promise<WhisperStt> | undefined
  const embeddedEars: Stt = {
    name: 'embedded',
    async *transcribe(audio, options, signal) {
      yield* (await openWhisperOnce()).transcribe(audio, options, signal)
    },
  }
  function openWhisperOnce(): Promise<WhisperStt> {
    whisper ??= openEars(config, stopping.signal, ownFolder('whisper'))
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
      ? import('./turn/turn-model.ts')
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
    vad: openVad,
    turnModel: openTurns,
    async warmUpRecognition() {
      await openVad()
      await openTurns()
      await settled // synthesis first: preparing both at once delays both
      if (stt === embeddedEars && !stopping.signal.aborted) await openWhisperOnce()
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
    throw new AppError('unavailable', 'This server cannot hear: its optional packages are not installed', { cause })
  }
}

/** The first vendor that can speak when no embedded engine can. */
function vendorWithKey(config: SpeechConfig): Tts | undefined {
  const keys = { azure: config.azure, elevenlabs: config.elevenLabs, cartesia: config.cartesia, openai: config.openAi }
  for (const [name, { apiKey }] of Object.entries(keys))
    if (apiKey !== null) return makeTts(name as keyof typeof keys, config, undefined as never)
  return undefined
}
