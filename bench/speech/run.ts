// Speech benchmark: latency, speed and cost of the embedded synthesis and recognition. On 2 cores, beside espeak-ng's
// own program.
//
//   npm run bench:speech -- [--seconds 20] [--only voices,ears,vad,loop,memory]
//
// Models are prepared once in node_modules/.cache, as for the tests.
import { parseArgs } from 'node:util'
import { measureLoop } from './all-at-once.ts'
import { measureEars, measureVad, sayUtterances } from './ears.ts'
import { measureMemory } from './memory.ts'
import {
  printEars,
  printLoop,
  printMachine,
  printMemory,
  printVad,
  printVoice,
  printVoiceAims,
  printVoicesHead,
} from './report.ts'
import {
  hasProgram,
  measureCache,
  measureDegrading,
  measureNatural,
  measureProgram,
  measureSmall,
  type VoiceRow,
} from './voices.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, only: { type: 'string' } } })
const seconds = Number(values.seconds)
if (!(seconds > 0)) throw new Error('--seconds must be a number above 0')
const parts = ['voices', 'ears', 'vad', 'loop', 'memory']
const chosen = new Set(values.only?.split(',') ?? parts)
const unknown = [...chosen].filter((name) => !parts.includes(name))
if (unknown.length > 0) throw new Error(`--only knows ${parts.join(', ')}; not ${unknown.join(', ')}`)

const TIMES_HEARD = 7
/** In a conversation each side is silent for half of the time or more. */
const vadCalls = [
  { streams: 1, silent: 0 },
  { streams: 32, silent: 0 },
  { streams: 32, silent: 16 },
  { streams: 100, silent: 0 },
]
const MOST_VAD_SECONDS = 10

// The fallback voice's thread alone does not keep a process alive.
const alive = setInterval(() => {}, 1000)
printMachine(seconds)
if (chosen.has('voices')) {
  printVoicesHead()
  const rows: VoiceRow[] = []
  for (const measure of [
    measureSmall,
    measureCache,
    ...(hasProgram() ? [measureProgram] : []),
    (each: number) => measureNatural('fast', each),
    measureDegrading,
    (each: number) => measureNatural('plain', each),
  ]) {
    const row = await measure(seconds)
    printVoice(row)
    rows.push(row)
  }
  printVoiceAims(rows, hasProgram())
}
const said = chosen.has('ears') || chosen.has('loop') ? await sayUtterances() : []
if (chosen.has('ears')) printEars(await measureEars(said, TIMES_HEARD))
if (chosen.has('vad')) printVad(await measureVad(vadCalls, Math.min(seconds, MOST_VAD_SECONDS)))
if (chosen.has('loop')) printLoop(await measureLoop(said, seconds))
if (chosen.has('memory')) printMemory(measureMemory())
clearInterval(alive)
