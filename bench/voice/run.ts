// Voice benchmark: reply latency minus the unavoidable part. Real RTP, media threads, VAD, recording and conversation
// engine; STT, LLM and TTS are fakes with fixed delays. The same run measures @livekit/agents with the same fakes, and
// again in its best case.
//
// npm run bench:voice -- [--short] [--only ours,rival,rival-best] [--calls 1,100,300,400] [--sessions 1,20,100]
// [--seconds 12] [--rounds 2] [--profile]
//
// In full: about ten minutes; --short: under two. The rival (290 MB) is installed into node_modules/.cache on first
// use. --profile prints the ten most expensive functions of each thread instead of the targets, because profiling
// itself takes time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchmark, commonOptions, note, type Report } from '../report/report.ts'
import { measureOurs, type Row, type Wish } from './ours.ts'
import { addProfile } from './profile.ts'
import { sayQuestions } from './questions.ts'
import { addAims, cellsOf, introduce, type Measured, noteRow, openTable } from './report.ts'
import { installRival, measureRival } from './rival.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    only: { type: 'string', default: 'ours,rival,rival-best' },
    calls: { type: 'string' },
    sessions: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
})
const numbers = (given: string) => given.split(',').map(Number)
const calls = numbers(values.calls ?? (values.short ? '1,20' : '1,100,300,400'))
const sessions = numbers(values.sessions ?? (values.short ? '20' : '1,20,100'))
const warmUpSeconds = values.short ? 2 : 6
/** Without delays one session count is enough. */
const BEST_SESSIONS = 20
/** One call has few turns: p95 needs 20 of them. */
const secondsFor = (count: number) => Number(values.seconds ?? (values.short ? 7 : count === 1 ? 42 : 12))
const roundsFor = (count: number) => Number(values.rounds ?? (values.short ? 1 : count === 1 ? 3 : 2))
const parts = values.only.split(',')
const known = ['ours', 'rival', 'rival-best']
const unknown = parts.filter((part) => !known.includes(part))

const folder = mkdtempSync(join(tmpdir(), 'voice-questions-'))
const file = join(folder, 'questions')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

type Set = Pick<Measured, 'who' | 'isOurs' | 'isInstant'> & { measure(wish: Wish): Promise<Row> }

async function rounds(set: Set, count: number, howMany: number): Promise<Measured> {
  const { measure, ...about } = set
  const all: Row[] = []
  const wish = { calls: count, seconds: secondsFor(count), warmUpSeconds, file, isInstant: about.isInstant }
  while (all.length < howMany) all.push(await measure(wish))
  return { ...about, calls: count, rounds: all }
}

async function measure(report: Report): Promise<void> {
  if (unknown.length > 0) throw new Error(`--only knows ${known.join(', ')}; not ${unknown.join(', ')}`)
  const bad = [...calls, ...sessions, secondsFor(2), roundsFor(2)].find((each) => !(each > 0))
  if (bad !== undefined) throw new Error('--calls, --sessions, --seconds and --rounds are numbers above 0')
  await sayQuestions(file)
  if (values.profile) {
    for (const count of calls)
      await addProfile(report, { calls: count, seconds: secondsFor(count), warmUpSeconds, file })
    return
  }
  const hasRival = parts.some((part) => part !== 'ours')
  const place = hasRival ? await installRival(note).catch(notInstalled) : null
  introduce(report)
  const table = openTable(report)
  const all: Measured[] = []
  const add = (measured: Measured) => {
    all.push(measured)
    table.row(cellsOf(measured))
    noteRow(measured)
  }
  const ours: Set = { who: 'Ramal', isOurs: true, isInstant: false, measure: measureOurs }
  if (parts.includes('ours')) for (const count of calls) add(await rounds(ours, count, roundsFor(count)))
  if (typeof place === 'string') {
    const rival: Set = {
      who: '@livekit/agents',
      isOurs: false,
      isInstant: false,
      measure: (wish) => measureRival(place, wish),
    }
    if (parts.includes('rival')) for (const count of sessions) add(await rounds(rival, count, roundsFor(count)))
    if (parts.includes('rival-best')) {
      const instant = { isInstant: true }
      for (const count of values.sessions === undefined ? [BEST_SESSIONS] : sessions) {
        if (parts.includes('ours'))
          add(await rounds({ ...ours, ...instant, who: 'Ramal, no delays' }, count, roundsFor(count)))
        const who = '@livekit/agents at its best, no delays'
        add(await rounds({ ...rival, ...instant, who }, count, roundsFor(count)))
      }
    }
  } else if (place) report.text(`@livekit/agents is not compared: it could not be installed (${place.reason}).`)
  addAims(report, all)
}

const notInstalled = (error: Error) => ({ reason: error.message.split('\n')[0] ?? '' })

await benchmark({ name: 'voice', title: 'Voice benchmark' }, values, measure)
