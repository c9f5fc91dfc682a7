// The line of one synthetic answer to an outbound call, put together from speech, tones and silence: by its seed in another voice, level,
// noise, clock and codec.
import { joinPcm } from '../../src/audio/pcm.ts'
import { atLevel, codecs, made, mixed, type NetworkTone, networkTones, noise, randomFrom } from '../line-sounds.ts'
import { robotSpeech } from '../sounds.ts'
import { type Language, languages, texts, voices } from './labelled-texts.ts'

export const RATE_HZ = 8000

export type Said = { fromMs: number; toMs: number; text: string }
export const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T

const spoken = new Map<string, Promise<Int16Array>>()
function voiceOf(text: string, voice: string): Promise<Int16Array> {
  const key = `${voice} ${text}`
  const known = spoken.get(key) ?? robotSpeech(text, voice, RATE_HZ)
  spoken.set(key, known)
  return known
}

/** One answer under construction. */
export function answerLine(seed: number) {
  const random = randomFrom(seed)
  const language = languages[seed % languages.length] as Language
  const voice = voices[language][Math.floor(random() * 3)] as string
  const speechDb = -14 - 16 * random()
  const clock = 1 + 0.02 * (random() - 0.5)
  const parts: Int16Array[] = []
  const said: Said[] = []
  const nowMs = () => (parts.reduce((sum, { length }) => sum + length, 0) * 1000) / RATE_HZ
  const between = (least: number, most: number) => least + (most - least) * random()
  const line = {
    random,
    between,
    quiet: (seconds: number) => void parts.push(new Int16Array(Math.round(RATE_HZ * seconds))),
    play: (pcm: Int16Array) => void parts.push(pcm),
    tone(name: NetworkTone, seconds: number): void {
      const pcm = made(RATE_HZ, seconds, networkTones(clock)[name])
      parts.push(atLevel(pcm, between(-36, -10)))
    },
    /** A recognizer that `misses` it hears other words. */
    async says(of: string, misses = false): Promise<void> {
      const choice = texts[of]?.[language] ?? []
      const text = choice[Math.floor(random() * choice.length)] as string
      const pcm = await voiceOf(text, voice)
      const fromMs = nowMs()
      parts.push(atLevel(pcm, speechDb))
      said.push({ fromMs, toMs: nowMs(), text: misses ? 'E aí está.' : text })
    },
    /** A sentence of somebody else, somewhat quieter, that a recognizer hears nothing in. */
    async radio(): Promise<void> {
      const text = at(texts.reception?.[language] ?? [], 0)
      parts.push(atLevel(await voiceOf(text, at(voices[language], 2)), speechDb - between(2, 8)))
      line.quiet(0.2)
    },
    /** A person who hears nothing says hello again, twice. */
    async waits(): Promise<void> {
      for (let times = 0; times < 2; times++) {
        line.quiet(between(2, 4))
        await line.says('again')
      }
      line.quiet(6)
    },
    end(noiseDb: number) {
      const pcm = joinPcm(parts)
      const code = codecs[1 + (seed % 2)] as (typeof codecs)[number]
      return { pcm: code(mixed(pcm, noise(seed, pcm.length, noiseDb))), said }
    },
  }
  return line
}
export type AnswerLine = ReturnType<typeof answerLine>
