// First sound of a reply in a call, on an idle machine and with all cores busy: what the caller hears first, after how long.
//
//   node bench/speech/first-sound.ts [--busy 0.8] [--replies 40]
import { parseArgs } from 'node:util'
import { monotonicMs } from '../../src/base/clock.ts'
import { speechCache } from '../../src/speech/cache.ts'
import { cachedTts } from '../../src/speech/cached.ts'
import { embeddedVoice } from '../../src/speech/embedded.ts'
import { openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { preparedKokoro } from '../../src/speech/kokoro/testing.ts'
import { sentencesOf } from '../../src/speech/text/sentences.ts'
import { openEspeakTts } from '../../src/speech/tts/espeak.ts'
import { keepBusy } from './busy.ts'
import { after } from './ears.ts'
import { talkOf } from './texts.ts'
import { never, voice } from './voices.ts'

const { values } = parseArgs({
  options: { busy: { type: 'string', default: '0.8' }, replies: { type: 'string', default: '40' } },
})
const replies = Number(values.replies)
const FILLER = 'Deixa eu ver.'
const CACHE_BYTES = 64e6
/** Between two replies the caller speaks. */
const PAUSE_MS = 1500

const [kokoro, espeak] = await Promise.all([preparedKokoro().then(openKokoroTts), openEspeakTts()])
const cached = cachedTts(kokoro, speechCache(CACHE_BYTES))
let isDegraded = false
const tts = embeddedVoice({
  natural: () => ({ ...kokoro, speak: cached.speak, knows: cached.knows }),
  small: async () => espeak,
  onDegraded: () => {
    isDegraded = true
  },
})

type First = { by: 'natural' | 'filler' | 'small'; ms: number; naturalMs: number }

/** One reply, spoken as a session does: sentence by sentence, in one turn. */
async function reply(i: number): Promise<First> {
  // No two replies have the same speed: none comes from the cache.
  const options = { ...voice, speed: 1 + i / 1000, turn: {} }
  const start = monotonicMs()
  isDegraded = false
  let first: First | undefined
  for (const [k, text] of sentencesOf(talkOf(4, i)).entries()) {
    const isBridged = k === 0 && (tts.needsFiller?.(text, FILLER, { ...options, speed: 1 }) ?? false)
    const fillerMs = monotonicMs() - start
    for await (const _ of tts.speak(text, options, never)) {
      const ms = monotonicMs() - start
      first ??= {
        by: isDegraded ? 'small' : isBridged ? 'filler' : 'natural',
        ms: isBridged ? fillerMs : ms,
        naturalMs: ms,
      }
    }
  }
  return first as First
}

const at = (sorted: readonly number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)

async function measure(busy: number): Promise<void> {
  const stop = keepBusy(busy)
  await after(1000)
  const firsts: First[] = []
  for (let i = 0; i < replies; i++) {
    firsts.push(await reply(i))
    await after(PAUSE_MS)
  }
  stop()
  const of = (ms: (first: First) => number) => firsts.map(ms).toSorted((a, b) => a - b)
  const count = (by: First['by']) => firsts.filter((first) => first.by === by).length
  const [sound, speech] = [of((first) => first.ms), of((first) => first.naturalMs)]
  process.stdout.write(
    `cores ${Math.round(busy * 100)} % busy, ${replies} replies: first sound p50 ${at(sound, 0.5)} ms, p95 ${at(sound, 0.95)} ms; ` +
      `first word of the reply p50 ${at(speech, 0.5)} ms, p95 ${at(speech, 0.95)} ms; ` +
      `begun by the natural voice ${count('natural')}, a filler ${count('filler')}, the small voice ${count('small')}\n`,
  )
}

const alive = setInterval(() => {}, 1000)
await measure(0)
await measure(Number(values.busy))
clearInterval(alive)
await kokoro.close()
await espeak.close()
