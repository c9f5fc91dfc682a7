// The natural voice: Kokoro in worker threads, on the fast path where the processor and the prepared files allow it.
import { availableParallelism } from 'node:os'
import { appError, notFound } from '../../base/errors/errors.ts'
import type { Tts } from '../../voice/ports.ts'
import { embeddedVoices } from '../catalog.ts'
import { preparedFor } from './files.ts'
import type { Utterance } from './model.ts'
import type { KokoroPackages } from './packages.ts'
import { supportsInt8 } from './processor.ts'
import { openStreams } from './streams.ts'
import { openThread } from './thread.ts'

type KokoroOptions = {
  folder: string
  packages: KokoroPackages
  /** By default the fast path, if the processor suits it and the files exist. */
  way?: 'fast' | 'plain'
  /** Threads of the fast path, one run each; the plain path uses as many for its single run. */
  threads?: number
}
export type KokoroTts = Tts & {
  readonly way: 'fast' | 'plain'
  /** False when one more stream could make the playing ones stutter. */
  hasRoom(): boolean
  /** Waits for the current runs; playing streams end with an error. */
  close(): Promise<void>
}

const MIN_SPEED = 0.5
const MAX_SPEED = 2

/** Rejects when nothing is prepared in `folder`, or an optional package is not installed. */
export async function openKokoroTts(options: KokoroOptions): Promise<KokoroTts> {
  const { folder, packages } = options
  const states = await Promise.all(
    embeddedVoices.map(async (voice) => ({ voice, ...(await preparedFor(folder, voice.id)) })),
  )
  const way = options.way ?? ((await supportsInt8()) && states.some((state) => state.fast) ? 'fast' : 'plain')
  const isFast = way === 'fast'
  const voices = states.flatMap((state) => (state[way] ? [state.voice] : []))
  const [firstVoice] = voices
  if (!firstVoice) throw appError('voice_not_prepared')

  const threads = options.threads ?? Math.min(2, availableParallelism())
  const model = { folder, voicesFolder: packages.voices, isFast, threads }
  const warmUp: Utterance = { text: 'Olá, tudo bem?', voiceId: firstVoice.id, language: firstVoice.language, speed: 1 }
  const streams = await openStreams(isFast, isFast ? threads : 1, (hasFront) =>
    openThread({ ...model, hasFront }, warmUp),
  )

  return {
    name: 'kokoro',
    way,
    voices: async () => [...voices],
    hasRoom: streams.hasRoom,
    async *speak(text, given, signal) {
      const voice = voices.find(({ id }) => id === given.voiceId)
      if (!voice) throw notFound('Voice')
      const language = given.language ?? voice.language
      const speed = Math.min(MAX_SPEED, Math.max(MIN_SPEED, given.speed ?? 1))
      yield* streams.speak(text, { voiceId: voice.id, language, speed, reply: given.reply }, signal)
    },
    close: streams.close,
  }
}
