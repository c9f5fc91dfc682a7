// The callers' voices at telephone sample rate, synthesized once and cached on disk.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { resample } from '../../src/audio/resample.ts'
import { pcmBytes, pcmOf } from '../../src/audio/wav.ts'
import { type KokoroTts, openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { type Espeak, loadEspeak } from '../../src/speech/tts/espeak-engine.ts'
import { allVoices, listen, preparedKokoro, wayHere } from '../../test/prepared-kokoro.ts'
import type { Language } from './dialogue.ts'
import { LINE_HZ, type Utterance, utteranceOf } from './utterance.ts'

export type Voice = {
  readonly engine: 'kokoro' | 'espeak'
  readonly id: string
  readonly speed: number
  /** Factor for pitch and formants: children have a shorter vocal tract. The tempo stays the same. */
  readonly shift: number
}
const kokoro = (id: string, speed = 1, shift = 1): Voice => ({ engine: 'kokoro', id, speed, shift })
const espeak = (id: string): Voice => ({ engine: 'espeak', id, speed: 1, shift: 1 })

export const voices: Readonly<Record<string, Voice>> = {
  'pt-dora': kokoro('pf_dora'),
  'pt-alex': kokoro('pm_alex'),
  'pt-santa': kokoro('pm_santa'),
  'pt-fast': kokoro('pm_alex', 1.25),
  'pt-slow': kokoro('pf_dora', 0.8),
  'pt-child': kokoro('pf_dora', 0.95, 1.25),
  'pt-old': kokoro('pm_santa', 0.8, 0.9),
  'pt-robot': espeak('pt-br'),
  'en-heart': kokoro('af_heart'),
  'en-bella': kokoro('af_bella'),
  'en-michael': kokoro('am_michael'),
  'en-fenrir': kokoro('am_fenrir'),
  'en-child': kokoro('af_bella', 0.95, 1.25),
  'es-dora': kokoro('ef_dora'),
  'es-alex': kokoro('em_alex'),
  'es-santa': kokoro('em_santa'),
  'es-old': kokoro('em_santa', 0.8, 0.9),
}

const folder = fileURLToPath(new URL('../../node_modules/.cache/talk-bench', import.meta.url))
/** Kokoro speaks at 24 kHz; a rate must be a multiple of 25. */
const shifted = (rateHz: number, shift: number) => Math.round((rateHz * shift) / 25) * 25
const never = new AbortController().signal

function fileOf(text: string, voice: Voice, language: Language): string {
  const key = JSON.stringify([voice.engine, voice.id, voice.speed, voice.shift, language, text])
  return join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 24)}.pcm`)
}

/** Opens engines only for audio that is not on disk yet. */
export function openVoices() {
  let natural: Promise<KokoroTts> | undefined
  let robot: Promise<Espeak> | undefined
  mkdirSync(folder, { recursive: true })

  async function synthesize(text: string, voice: Voice, language: Language): Promise<Int16Array> {
    if (voice.engine === 'espeak') {
      robot ??= loadEspeak()
      const engine = await robot
      const samples: number[] = []
      engine.synthesize(text, voice.id, voice.speed, (pcm) => {
        for (const sample of pcm) samples.push(sample)
        return true
      })
      return resample(Int16Array.from(samples), engine.rateHz, LINE_HZ)
    }
    natural ??= preparedKokoro(wayHere, allVoices).then(openKokoroTts)
    const options = { voiceId: voice.id, language, speed: voice.speed / voice.shift }
    const { pcm, rateHz } = await listen((await natural).speak(text, options, never))
    return resample(pcm, shifted(rateHz, voice.shift), LINE_HZ)
  }

  return {
    async say(text: string, voice: Voice, language: Language): Promise<Utterance> {
      const file = fileOf(text, voice, language)
      if (!existsSync(file)) {
        writeFileSync(`${file}.part`, pcmBytes(await synthesize(text, voice, language)))
        renameSync(`${file}.part`, file)
      }
      return utteranceOf(pcmOf(readFileSync(file)))
    },
    async close(): Promise<void> {
      await (await natural)?.close()
    },
  }
}
export type Voices = ReturnType<typeof openVoices>
