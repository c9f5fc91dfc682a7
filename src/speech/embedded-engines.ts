// The embedded engines as the speech service opens them: the voices in the background, recognition, VAD and turn model on first use.
// Engines are imported when first needed: a server that only uses a vendor's voice does not hold them in memory.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { appError } from '../base/errors/errors.ts'
import { countFault } from '../base/errors/faults.ts'
import type { Log } from '../base/process/log.ts'
import type { SpeechConfig } from '../config/config.ts'
import type { Stt } from '../voice/ports.ts'
import type { NaturalVoice } from './embedded.ts'
import type { KokoroTts } from './kokoro/kokoro.ts'
import { type OnFirstUse, onFirstUse } from './on-first-use.ts'
import type { SpeechCache } from './tts/cache.ts'
import { cachedTts } from './tts/cached.ts'
import type { EspeakTts } from './tts/espeak.ts'
import type { LocalTurnModel } from './turn-model/turn-model.ts'
import type { SileroVad } from './vad/silero.ts'
import type { WhisperStt } from './whisper/whisper.ts'

export type EngineParts = { config: SpeechConfig; log: Log; signal: AbortSignal }

/** An operator's own model instead of the package's. */
function ownModel({ ownModels }: SpeechConfig, name: string): string | undefined {
  const path = ownModels ? join(ownModels, name) : undefined
  return path && existsSync(path) ? path : undefined
}

/** The fallback voice is small enough to be loaded in case a vendor fails one day. */
export async function openFallbackVoice({ config, log }: EngineParts): Promise<EspeakTts | undefined> {
  if (config.embedded === 'off') return undefined
  try {
    const { openEspeakTts } = await import('./tts/espeak.ts')
    return await openEspeakTts()
  } catch (err) {
    log.warn({ err }, 'no fallback voice: the espeak-ng package is not installed')
    return undefined
  }
}

export type LoadedNaturalVoice = KokoroTts & NaturalVoice
type NaturalVoiceParts = EngineParts & {
  cache: SpeechCache
  /** The voices to prepare; all by default. */
  voices?: readonly string[] | undefined
  onProgress: (percent: number) => void
}

/** Prepares the natural voice if necessary; the reason if it cannot be used here. */
export async function openNaturalVoice(parts: NaturalVoiceParts): Promise<LoadedNaturalVoice | { missing: string }> {
  const { config, log, signal, cache, voices, onProgress } = parts
  const { findKokoro } = await import('./kokoro/packages.ts')
  const found = findKokoro(ownModel(config, 'kokoro'))
  if ('missing' in found) {
    log.warn({ missing: found.missing }, 'no natural voice: optional packages are not installed')
    return { missing: 'its optional packages are not installed' }
  }
  const folder = join(config.modelsDir, 'kokoro')
  let loggedPercent = -1
  const { prepareKokoro } = await import('./kokoro/prepare.ts')
  await prepareKokoro(
    folder,
    found.packages,
    ({ fraction, step }) => {
      onProgress(Math.floor(fraction * 100))
      const percent = Math.floor(fraction * 10) * 10
      if (percent > loggedPercent)
        log.info({ percent, step }, 'preparing the natural voice; using the fallback voice meanwhile')
      loggedPercent = Math.max(loggedPercent, percent)
    },
    signal,
    voices,
  )
  const { openKokoroTts } = await import('./kokoro/kokoro.ts')
  const opened = await openKokoroTts({ folder, packages: found.packages })
  const { speak, knows } = cachedTts(opened, cache)
  log.info({ way: opened.way }, 'natural voice ready')
  return { ...opened, speak, knows }
}

export type EmbeddedRecognition = { stt: Stt; engine: OnFirstUse<WhisperStt> }

export function embeddedRecognition({ config, log, signal }: EngineParts): EmbeddedRecognition {
  let isReady = false
  const engine = onFirstUse(async () => {
    const folder = join(config.modelsDir, 'whisper')
    const own = ownModel(config, 'whisper')
    try {
      const { prepareWhisper } = await import('./whisper/prepare.ts')
      const { openWhisper } = await import('./whisper/whisper.ts')
      const { findLargerWhisper } = await import('./whisper/folder.ts')
      await prepareWhisper(folder, () => {}, signal, own)
      const first = await openWhisper({ folder })
      isReady = true
      const larger = own ? undefined : findLargerWhisper()
      if (!larger) return first
      const { openLargerWhisper } = await import('./whisper/larger.ts')
      const { withSecondOpinion } = await import('./whisper/second-opinion.ts')
      const second = openLargerWhisper({
        source: larger,
        folder: join(config.modelsDir, 'whisper-larger'),
        log,
        signal,
      })
      return withSecondOpinion({ first, second })
    } catch (cause) {
      throw appError('speech_recognition_missing', {}, { cause })
    }
  })
  const stt: Stt = {
    name: 'embedded',
    isEmbedded: true,
    get isReady() {
      return isReady
    },
    async *transcribe(audio, options, signal) {
      yield* (await engine.get()).transcribe(audio, options, signal)
    },
  }
  return { stt, engine }
}

export function voiceActivityDetection({ config, log }: EngineParts): OnFirstUse<SileroVad> {
  function onFault(err: unknown): void {
    countFault('vad')
    log.error({ err }, 'voice activity detection failed; calls continue with the last result')
  }
  return onFirstUse(async () => {
    const { openSilero } = await import('./vad/silero.ts')
    return openSilero(ownModel(config, 'silero_vad.onnx'), onFault)
  })
}

export const turnModel = ({ config, log }: EngineParts): OnFirstUse<LocalTurnModel | undefined> =>
  onFirstUse(async () => {
    if (!config.turnModel) return undefined
    try {
      const { openTurnModel } = await import('./turn-model/turn-model.ts')
      return await openTurnModel(config.turnModel)
    } catch (err) {
      log.error({ err }, 'failed to load the turn model (TURN_MODEL); endpointing uses the transcript alone')
      return undefined
    }
  })
