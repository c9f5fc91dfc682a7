// The audio of the recognition set: synthesized once, cached on disk, sent through a simulated telephone line and
// segmented by VAD.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeAlaw, encodeAlaw } from '../../src/audio/g711.ts'
import { clamped, joinPcm } from '../../src/audio/pcm.ts'
import { resample } from '../../src/audio/resample.ts'
import { openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { speechBounds } from '../../src/voice/playout/speech-bounds.ts'
import type { Audio, AudioFrame } from '../../src/voice/ports.ts'
import { UtteranceDetector } from '../../src/voice/utterance-detector.ts'
import { allVoices, listen, preparedKokoro, wayHere } from '../../test/prepared-kokoro.ts'
import { robotSpeech } from '../../test/sounds.ts'
import { recognitionSet, type Said, speakers } from './recognition-set.ts'

export const LINE_HZ = 8000
export type Line = 'clean' | 'quiet' | 'clipped' | 'babble'
export type Clip = Said & { voice: string; line: Line; pcm: Int16Array; isCut: boolean }

/** The usual level of telephone speech. */
const SPEECH_DB = -23
const gainOf = (db: number) => 10 ** (db / 20)
const FULL_SCALE = 32768

/** A seeded generator: the same sequence in every run. */
function randomness(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
const seedOf = (text: string) => createHash('sha256').update(text).digest().readUInt32LE()

/** Trims to the speech: the benchmark adds pauses of its own. */
function trimmed(pcm: Int16Array): Int16Array {
  const bounds = speechBounds(pcm, LINE_HZ)
  if (!bounds) return pcm
  return pcm.subarray(Math.max(0, Math.floor((bounds.fromMs - 80) * 8)), Math.ceil((bounds.toMs + 80) * 8))
}

/** Joins parts that are spoken one by one, with pauses of 400 to 900 ms (a number) or 700 to 1200 ms (hesitation). */
function joined(said: Said, parts: readonly Int16Array[], voice: string): Int16Array {
  if (parts.length === 1) return parts[0] as Int16Array
  const random = randomness(seedOf(`${said.text}/${voice}`))
  const [shortestMs, longestMs] = said.kind === 'number' ? [400, 900] : [700, 1200]
  const all = parts.flatMap((part, i) => {
    const pauseMs = shortestMs + random() * (longestMs - shortestMs)
    return i === 0 ? [trimmed(part)] : [new Int16Array(Math.round(pauseMs * 8)), trimmed(part)]
  })
  return joinPcm(all)
}

function levelled(pcm: Int16Array, db: number): Int16Array {
  const loud = pcm.filter((sample) => Math.abs(sample) > 200)
  const rms = Math.sqrt(loud.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, loud.length)) / FULL_SCALE
  return pcm.map((sample) => clamped((sample * gainOf(db)) / Math.max(rms, 1e-6)))
}

/** Adds 700 ms before and 1 s after the speech, on a line that is never quite silent. */
function carried(speech: Int16Array, line: Line, babble: Int16Array): Int16Array {
  const db = line === 'quiet' ? SPEECH_DB - 20 : line === 'clipped' ? SPEECH_DB + 20 : SPEECH_DB
  const level = levelled(speech, db)
  const random = randomness(level.length)
  const noise = gainOf(line === 'quiet' ? -72 : -62) * FULL_SCALE
  const background = levelled(babble, SPEECH_DB - 15)
  const all = joinPcm([new Int16Array(5600), level, new Int16Array(8000)])
  const from = Math.floor(random() * Math.max(1, background.length - all.length))
  const sounding = all.map((sample, i) => {
    const beside = line === 'babble' ? (background[from + i] ?? 0) : 0
    return clamped(sample + beside + (random() - 0.5) * 3.4 * noise)
  })
  return decodeAlaw(encodeAlaw(sounding))
}

export async function recognitionAudio(folder: string): Promise<Clip[]> {
  await mkdir(folder, { recursive: true })
  let opening: ReturnType<typeof openVoices> | undefined
  /** Cached on disk under a name derived from all of its inputs. */
  const kept = async (key: string, make: () => Promise<Int16Array>): Promise<Int16Array> => {
    const path = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 20)}.pcm`)
    if (!existsSync(path)) {
      const pcm = await make()
      await writeFile(path, new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength))
    }
    const bytes = await readFile(path)
    return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  }
  const say = (text: string, voice: string, language: string) =>
    kept(`${voice}/${text}`, async () => {
      opening ??= openVoices()
      return (await opening).say(text, voice, language)
    })
  const clips: Clip[] = []
  const vad = await openSilero()
  const talk = await Promise.all(
    ['pm_santa', 'pf_dora', 'pm_alex'].map((voice) =>
      say(
        recognitionSet
          .slice(23, 30)
          .map((one) => one.text)
          .join(' '),
        voice,
        'pt-BR',
      ),
    ),
  )
  const length = Math.min(...talk.map((pcm) => pcm.length))
  const babble = Int16Array.from({ length }, (_, i) => talk.reduce((sum, pcm) => sum + (pcm[i] ?? 0) / 3, 0))
  for (const [i, said] of recognitionSet.entries()) {
    const voices = speakers[said.language] ?? []
    const robots = said.language === 'pt-BR' && said.kind !== 'number' && i % 4 === 0 ? ['espeak'] : []
    for (const [k, voice] of [...voices, ...robots].entries()) {
      const parts: Int16Array[] = []
      for (const part of said.text.split(' … ')) parts.push(await say(part, voice, said.language))
      const speech = joined(said, parts, voice)
      const others = (['quiet', 'clipped', 'babble'] as const).filter((_, n) => voice !== 'espeak' && (i + k) % 6 === n)
      for (const line of ['clean', ...others] as const) {
        const whole = carried(speech, line, babble)
        // An empty file means that no speech was found.
        const heard = await kept(
          `turn/${line}/${voice}/${said.text}`,
          async () => (await turnOf(whole, vad)) ?? new Int16Array(0),
        )
        clips.push({ ...said, voice, line, pcm: heard.length > 0 ? heard : whole, isCut: heard.length > 0 })
      }
    }
  }
  await vad.close()
  await (await opening)?.close()
  return clips
}

/** Everything the engine would recognize as one turn: from the first start of speech to its last end. */
async function turnOf(pcm: Int16Array, vad: Awaited<ReturnType<typeof openSilero>>): Promise<Int16Array | undefined> {
  const nothing = () => {}
  const detector = new UtteranceDetector(vad, { onSpeech: nothing, onSpeechPause: nothing, onSpeechCandidate: nothing })
  await detector.listen({ input: framesOf(pcm) })
  return detector.pendingUtterance()?.pcm
}

async function* framesOf(pcm: Int16Array): Audio {
  for (let at = 0; at + 160 <= pcm.length; at += 160)
    yield { pcm: pcm.slice(at, at + 160), rateHz: LINE_HZ } satisfies AudioFrame
}

async function openVoices() {
  const kokoro = await openKokoroTts(await preparedKokoro(wayHere, allVoices))
  const never = new AbortController().signal
  return {
    async say(text: string, voice: string, language: string): Promise<Int16Array> {
      if (voice === 'espeak') return robotSpeech(text, 'pt-br', LINE_HZ)
      const { pcm, rateHz } = await listen(kokoro.speak(text, { voiceId: voice, language }, never))
      return resample(pcm, rateHz, LINE_HZ)
    },
    close: () => kokoro.close(),
  }
}
