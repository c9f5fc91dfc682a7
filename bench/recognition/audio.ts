// The audio of the recognition set: synthesized once, cached on disk, sent through a simulated line with its codec and segmented by
// VAD.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOpus } from '../../src/audio/opus.ts'
import { clamped, joinPcm } from '../../src/audio/pcm.ts'
import { resample } from '../../src/audio/resample.ts'
import { openCodec } from '../../src/rtp/codecs.ts'
import type { CodecName } from '../../src/rtp/leg.ts'
import { openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { openSilero, type SileroVad } from '../../src/speech/vad/silero.ts'
import { speechBounds } from '../../src/voice/playout/speech-bounds.ts'
import { UtteranceDetector } from '../../src/voice/utterance-detector.ts'
import { allVoices, listen, preparedKokoro, wayHere } from '../../test/prepared-kokoro.ts'
import { frames, robotSpeech } from '../../test/sounds.ts'
import { recognitionSet, type Said, speakers } from './set.ts'

export type Line = 'clean' | 'quiet' | 'clipped' | 'babble'
export type Clip = Said & { voice: string; line: Line; pcm: Int16Array; rateHz: number; isCut: boolean }

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
function trimmed(pcm: Int16Array, rateHz: number): Int16Array {
  const bounds = speechBounds(pcm, rateHz)
  if (!bounds) return pcm
  const at = (ms: number) => (ms * rateHz) / 1000
  return pcm.subarray(Math.max(0, Math.floor(at(bounds.fromMs - 80))), Math.ceil(at(bounds.toMs + 80)))
}

/** Joins parts that are spoken one by one, with pauses of 400 to 900 ms (a number) or 700 to 1200 ms (hesitation). */
function joined(said: Said, parts: readonly Int16Array[], voice: string, rateHz: number): Int16Array {
  if (parts.length === 1) return parts[0] as Int16Array
  const random = randomness(seedOf(`${said.text}/${voice}`))
  const [shortestMs, longestMs] = said.kind === 'number' ? [400, 900] : [700, 1200]
  const all = parts.flatMap((part, i) => {
    const pauseMs = shortestMs + random() * (longestMs - shortestMs)
    const speech = trimmed(part, rateHz)
    return i === 0 ? [speech] : [new Int16Array(Math.round((pauseMs * rateHz) / 1000)), speech]
  })
  return joinPcm(all)
}

function levelled(pcm: Int16Array, db: number): Int16Array {
  const loud = pcm.filter((sample) => Math.abs(sample) > 200)
  const rms = Math.sqrt(loud.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, loud.length)) / FULL_SCALE
  return pcm.map((sample) => clamped((sample * gainOf(db)) / Math.max(rms, 1e-6)))
}

/** Adds 700 ms before and 1 s after the speech, on a line that is never quite silent. */
function carried(speech: Int16Array, line: Line, babble: Int16Array, name: CodecName): Int16Array {
  const codec = openCodec(name)
  const { rateHz } = codec
  const db = line === 'quiet' ? SPEECH_DB - 20 : line === 'clipped' ? SPEECH_DB + 20 : SPEECH_DB
  const level = levelled(speech, db)
  const random = randomness(level.length)
  const noise = gainOf(line === 'quiet' ? -72 : -62) * FULL_SCALE
  const background = levelled(babble, SPEECH_DB - 15)
  const all = joinPcm([new Int16Array(0.7 * rateHz), level, new Int16Array(rateHz)])
  const from = Math.floor(random() * Math.max(1, background.length - all.length))
  const sounding = all.map((sample, i) => {
    const beside = line === 'babble' ? (background[from + i] ?? 0) : 0
    return clamped(sample + beside + (random() - 0.5) * 3.4 * noise)
  })
  const heard: Int16Array[] = []
  const size = rateHz / 50
  // The buffer of a decoder may be used again.
  for (let at = 0; at + size <= sounding.length; at += size)
    heard.push(codec.decode(codec.encode(sounding.slice(at, at + size))).slice())
  codec.close?.()
  return joinPcm(heard)
}

type Wanted = (said: Said, i: number) => boolean

/** A caller's audio as it arrives by this codec, at its rate. */
export async function recognitionAudio(folder: string, codec: CodecName, isWanted: Wanted): Promise<Clip[]> {
  await mkdir(folder, { recursive: true })
  if (codec === 'opus' && !(await loadOpus())) throw new Error('Opus needs the package @evan/opus')
  const rateHz = codec === 'G722' || codec === 'opus' ? 16_000 : 8000
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
    kept(`${rateHz === 8000 ? '' : rateHz}${voice}/${text}`, async () => {
      opening ??= openVoices(rateHz)
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
    if (!isWanted(said, i)) continue
    const voices = speakers[said.language] ?? []
    const robots = said.language === 'pt-BR' && said.kind !== 'number' && i % 4 === 0 ? ['espeak'] : []
    for (const [k, voice] of [...voices, ...robots].entries()) {
      const parts: Int16Array[] = []
      for (const part of said.text.split(' … ')) parts.push(await say(part, voice, said.language))
      const speech = joined(said, parts, voice, rateHz)
      const others = (['quiet', 'clipped', 'babble'] as const).filter((_, n) => voice !== 'espeak' && (i + k) % 6 === n)
      for (const line of ['clean', ...others] as const) {
        const whole = carried(speech, line, babble, codec)
        // An empty file means that no speech was found.
        const heard = await kept(
          `${codec === 'PCMA' ? '' : codec}turn/${line}/${voice}/${said.text}`,
          async () => (await turnOf(whole, rateHz, vad)) ?? new Int16Array(0),
        )
        clips.push({ ...said, voice, line, rateHz, pcm: heard.length > 0 ? heard : whole, isCut: heard.length > 0 })
      }
    }
  }
  await vad.close()
  await (await opening)?.close()
  return clips
}

/** Everything the engine would recognize as one turn: from the first start of speech to its last end. */
async function turnOf(pcm: Int16Array, rateHz: number, vad: SileroVad): Promise<Int16Array | undefined> {
  const nothing = () => {}
  const detector = new UtteranceDetector(vad, { onSpeech: nothing, onSpeechPause: nothing, onSpeechCandidate: nothing })
  await detector.listen({ input: frames(pcm, rateHz) })
  return detector.pendingUtterance()?.pcm
}

async function openVoices(rateHz: number) {
  const kokoro = await openKokoroTts(await preparedKokoro(wayHere, allVoices))
  const never = new AbortController().signal
  return {
    async say(text: string, voice: string, language: string): Promise<Int16Array> {
      if (voice === 'espeak') return robotSpeech(text, 'pt-br', rateHz)
      const spoken = await listen(kokoro.speak(text, { voiceId: voice, language }, never))
      return resample(spoken.pcm, spoken.rateHz, rateHz)
    },
    close: () => kokoro.close(),
  }
}
