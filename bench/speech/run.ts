// Speech benchmark: latency, speed and cost of embedded synthesis and recognition on 2 cores, next to the espeak-ng
// program.
//
// npm run bench:speech -- [--seconds 20] [--only voices,first-sound,busy,ears,turns,vad,loop,memory] [--callers 1,3]
// [--short]
//
// Models are prepared once in node_modules/.cache, as for the tests.
import { parseArgs } from 'node:util'
import { benchmark, commonOptions } from '../report/report.ts'
import { measureLoop } from './all-at-once.ts'
import { measureEars, measureVad, sayUtterances } from './ears.ts'
import { measureEndOfTurn } from './end-of-turn.ts'
import { measureFirstSound } from './first-sound.ts'
import { measureMemory } from './memory.ts'
import { addEars, addEndOfTurn, addFirstSound, addLoop, addMemory, addVad, addVoiceAims, addVoices } from './report.ts'
import {
  measureCache,
  measureDegrading,
  measureNatural,
  measureProgram,
  measureSmall,
  missingProgram,
  type VoiceRow,
} from './voices.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    seconds: { type: 'string' },
    only: { type: 'string' },
    callers: { type: 'string', default: '1,3' },
  },
})
const seconds = Number(values.seconds ?? (values.short ? 4 : 20))
const parts = ['voices', 'first-sound', 'busy', 'ears', 'turns', 'vad', 'loop', 'memory']
const callers = values.callers.split(',').map(Number)
const chosen = new Set(values.only?.split(',') ?? (values.short ? ['voices', 'ears'] : parts))

const TIMES_HEARD = values.short ? 3 : 7
/** A p95 needs at least twenty turns. */
const TURNS = 21
const ANSWERED_AT_ONCE = [1, 3]
/** In a conversation each side is silent for at least half of the time. */
const vadCalls = [
  { streams: 1, silent: 0 },
  { streams: 32, silent: 0 },
  { streams: 32, silent: 16 },
  { streams: 100, silent: 0 },
]
const MAX_VAD_SECONDS = 10

// The fallback voice's thread does not keep the process alive.
setInterval(() => {}, 1000)

await benchmark({ name: 'speech', title: 'Speech benchmark' }, values, async (report) => {
  if (!(seconds > 0)) throw new Error('--seconds must be a number above 0')
  if (!callers.every((count) => Number.isInteger(count) && count > 0))
    throw new Error('--callers takes numbers above 0')
  const unknown = [...chosen].filter((name) => !parts.includes(name))
  if (unknown.length > 0) throw new Error(`--only knows ${parts.join(', ')}; not ${unknown.join(', ')}`)
  report.text(`About ${seconds} s of speech for each stream.`)
  if (chosen.has('voices')) {
    const missing = missingProgram()
    if (missing) report.text(`espeak-ng's own program is not compared. ${missing}`)
    const table = addVoices(report)
    const rows: VoiceRow[] = []
    for (const measure of [
      measureSmall,
      measureCache,
      ...(missing ? [] : [measureProgram]),
      (each: number) => measureNatural('fast', each),
      ...(values.short ? [] : [measureDegrading, (each: number) => measureNatural('plain', each)]),
    ]) {
      const row = await measure(seconds)
      table.row(row)
      rows.push(row)
    }
    addVoiceAims(report, rows)
  }
  const loads = [...(chosen.has('first-sound') ? [false] : []), ...(chosen.has('busy') ? [true] : [])]
  if (loads.length > 0) {
    const table = addFirstSound(report)
    for (const isBusy of loads) table.rows(await measureFirstSound(isBusy, ANSWERED_AT_ONCE))
  }
  const said = ['ears', 'turns', 'loop'].some((name) => chosen.has(name)) ? await sayUtterances() : []
  if (chosen.has('ears')) addEars(report, await measureEars(said, TIMES_HEARD))
  if (chosen.has('turns')) addEndOfTurn(report, await measureEndOfTurn(said, TURNS, callers))
  if (chosen.has('vad')) addVad(report, await measureVad(vadCalls, Math.min(seconds, MAX_VAD_SECONDS)))
  if (chosen.has('loop')) addLoop(report, await measureLoop(said, seconds))
  if (chosen.has('memory')) addMemory(report, measureMemory())
})
