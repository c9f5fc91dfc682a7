// Voice benchmark: reply latency minus the unavoidable part. Real RTP, media threads, VAD, recording and conversation
// engine; STT, LLM and TTS are fakes with fixed delays. Beside it, in the same run, @livekit/agents with the same
// fakes.
//
//   npm run bench:voice -- [--short] [--only ours,rival] [--calls 1,20,100] [--sessions 1,20] [--seconds 40]
//
// In full: about 12 minutes; --short: under one. The rival (290 MB) is installed into node_modules/.cache on first use.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureOurs, type Row, type Wish } from './ours.ts'
import { sayQuestions } from './questions.ts'
import { print, printAims, printHead, printMachine, printRow } from './report.ts'
import { installRival, measureRival } from './rival.ts'
import { addTally } from './terms.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: 'ours,rival' },
    calls: { type: 'string' },
    sessions: { type: 'string' },
    seconds: { type: 'string' },
  },
})
const numbers = (given: string) => given.split(',').map(Number)
const calls = numbers(values.calls ?? (values.short ? '1,20' : '1,20,100,200,300,400'))
const sessions = numbers(values.sessions ?? (values.short ? '1,20' : '1,20,60,100,200'))
const warmUpSeconds = values.short ? 2 : 8
const secondsFor = (count: number) => Number(values.seconds ?? (values.short ? 7 : count === 20 ? 60 : 40))
/**
 * A single call keeps its offset between two ticks of our clock from its first packet to its last: several have
 * different ones.
 */
const roundsFor = (count: number) => (count === 1 && !values.short ? 4 : 1)
const parts = values.only.split(',')

const folder = mkdtempSync(join(tmpdir(), 'voice-questions-'))
const file = join(folder, 'questions')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

printMachine()
await sayQuestions(file)
const rows: Row[] = []
const measured = (row: Row) => {
  rows.push(row)
  printRow(row)
}
const place = parts.includes('rival')
  ? await installRival(print).catch((error: Error) => {
      print(`@livekit/agents could not be installed, so it is not compared: ${error.message.split('\n')[0]}`)
    })
  : undefined
printHead()
async function rounds(count: number, measure: (wish: Wish) => Promise<Row>): Promise<void> {
  const all: Row[] = []
  const seconds = secondsFor(count) / (roundsFor(count) > 1 ? 2 : 1)
  while (all.length < roundsFor(count)) all.push(await measure({ calls: count, seconds, warmUpSeconds, file }))
  measured(all.reduce((a, b) => ({ ...b, tally: addTally(a.tally, b.tally) })))
}
if (parts.includes('ours')) for (const count of calls) await rounds(count, measureOurs)
if (place) for (const count of sessions) await rounds(count, (wish) => measureRival(place, wish))
printAims(rows)
process.exit(0)
