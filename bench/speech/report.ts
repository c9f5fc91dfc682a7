// The tables of the speech benchmark, each figure next to its target.
import { type Figure, largest, median, megabytes, ms, percent as perCent, spread, withUnit } from '../report/figures.ts'
import type { Report } from '../report/report.ts'
import type { LoopRow } from './all-at-once.ts'
import type { HeardRow, VadRow } from './ears.ts'
import type { EndOfTurnRow } from './end-of-turn.ts'
import { BUSY_SHARE, type FirstSoundRow, IN_TIME_MS } from './first-sound.ts'
import type { MemoryRow } from './memory.ts'
import type { VoiceRow } from './voices.ts'

const aims = {
  clauseMs: 180,
  sentenceMs: 350,
  voicesWithoutGap: 6,
  smallMs: 50,
  cacheMs: 5,
  firstSoundP50Ms: 120,
  firstSoundP95Ms: 250,
  threeSecondsMs: 250,
  endOfTurnMs: 100,
  vadPerCent: 0.3,
  loopP99Ms: 20,
  naturalMb: 600,
}

/** A dash marks a figure that does not apply to a row. */
const orDash = (figure: Figure | undefined) => (figure === undefined ? '-' : ms(figure))

export function addVoices(report: Report) {
  report.heading('Voices')
  report.text(
    'The factor is time over sound of all streams together. All streams begin at the same moment; a gap is sound that came more than 5 ms later than the end of ' +
      'what was there to play. First sounds are medians.',
  )
  const firsts = ['first sound: clause', 'sentence', 'long text, median', 'slowest']
  const table = report.table(['engine', 'streams', 'real-time factor', ...firsts, 'gaps'])
  return {
    row({ engine, clauseMs, sentenceMs, together }: VoiceRow): void {
      for (const [i, t] of together.entries())
        table.row([
          engine,
          t.streams,
          withUnit('', 3)(t.factor),
          orDash(i === 0 ? clauseMs : undefined),
          orDash(i === 0 ? sentenceMs : undefined),
          ms(t.firstMs),
          ms(t.slowestFirstMs),
          t.gaps === 0 ? 'none' : `${t.gaps} (${ms(t.gapMs)})`,
        ])
    },
  }
}

export function addVoiceAims(report: Report, rows: readonly VoiceRow[]): void {
  const of = (engine: string) => rows.find((row) => row.engine === engine)
  const fast = of('natural, fast way')
  if (fast) {
    const { clauseMs = null, sentenceMs = null } = fast
    report.under(`natural voice, short clause under ${aims.clauseMs} ms`, clauseMs, aims.clauseMs, ms)
    report.under(`natural voice, any sentence under ${aims.sentenceMs} ms`, sentenceMs, aims.sentenceMs, ms)
    const six = fast.together.find(({ streams }) => streams === aims.voicesWithoutGap)
    if (six) report.aim(`${aims.voicesWithoutGap} natural voices without a gap`, `${six.gaps} gaps`, six.gaps === 0)
  }
  for (const [engine, most] of [
    ['small voice', aims.smallMs],
    ['cache', aims.cacheMs],
  ] as const) {
    const row = of(engine)
    if (row)
      report.under(`${engine} under ${most} ms`, largest([row.clauseMs ?? null, row.sentenceMs ?? null]), most, ms)
  }
}

export function addFirstSound(report: Report) {
  report.heading('First sound of replies')
  report.text(
    `Replies of two sentences in the embedded voice, as the service speaks them; the callers of a row are answered at the same moment. "Busy": a process of ` +
      `normal priority uses ${perCent(BUSY_SHARE)} of each core. The median is that of the rounds, with their range; the longest silence is within a reply, after its first sound. ` +
      'Three of seven replies begin with an opener ("Claro, …"), which was said once before; no other sentence is kept.',
  )
  const firsts = ['first sound, p50', 'p95', 'slowest', 'p50 with an opener', 'without', `within ${IN_TIME_MS} ms`]
  const voices = ['natural', 'small', 'changed voice']
  const table = report.table(['machine', 'callers', 'replies', ...firsts, ...voices, 'longest silence'])
  return {
    rows(rows: readonly FirstSoundRow[]): void {
      for (const row of rows) {
        const machine = row.isBusy ? 'busy' : 'at rest'
        table.row([
          ...[machine, row.callers, row.replies, spread(row.p50Ms, ms), ms(row.p95Ms), ms(row.slowestMs)],
          ...[row.openedP50Ms, row.othersP50Ms].map(ms),
          ...[row.inTime, row.natural, 1 - row.natural, row.changed].map(perCent),
          ms(row.longestGapMs),
        ])
        const where = `${machine}, ${row.callers === 1 ? 'one caller' : `${row.callers} callers at once`}`
        report.atMost(`first sound of replies within ${IN_TIME_MS} ms (p95), ${where}`, row.p95Ms, IN_TIME_MS, ms)
        if (row.callers === 1 && !row.isBusy) {
          report.under(`first sound of replies, p50, ${where}`, median(row.p50Ms), aims.firstSoundP50Ms, ms)
          report.under(`first sound of replies, p95, ${where}`, row.p95Ms, aims.firstSoundP95Ms, ms)
        }
        report.aim(`no reply changes its voice, ${where}`, perCent(row.changed), row.changed === 0)
      }
    },
  }
}

export function addEars(report: Report, rows: readonly HeardRow[]): void {
  report.heading('Recognition: text after the last word')
  const table = report.table(['utterance', 'median', 'best', 'slowest', 'heard'])
  for (const row of rows)
    table.row([`${row.seconds.toFixed(1)} s`, ms(row.medianMs), ms(row.bestMs), ms(row.slowestMs), row.text])
  const three = rows.find(({ aboutSeconds }) => aboutSeconds === 3)
  if (three) report.under(`text of 3 s within ${aims.threeSecondsMs} ms`, three.medianMs, aims.threeSecondsMs, ms)
}

export function addEndOfTurn(report: Report, rows: readonly EndOfTurnRow[]): void {
  report.heading('Recognition: final text after the end of the turn')
  report.text(
    'Callers in real time, with voice activity detection and turn machine; all of a row end at the same moment, with utterances of about 1, 3 and 6 s. The decision ' +
      'is the earliest one that the rules allow: the end of speech is known, and the pause is 300 ms long. The text may be there before it (negative).',
  )
  const heads = ['callers', 'rounds', 'turns', 'without text', 'decision to text, p50', 'p95', 'fastest', 'slowest']
  const sound = ['last sound to text, p50', 'p95', 'to decision, p50', 'to start of recognition, p50']
  const table = report.table([...heads, ...sound, 'recognitions per turn'])
  for (const row of rows) {
    const times = [row.p50Ms, row.p95Ms, row.fastestMs, row.slowestMs, row.soundP50Ms, row.soundP95Ms]
    table.row([
      ...[row.callers, row.rounds, row.turns, row.lost],
      ...[...times, row.decisionP50Ms, row.startP50Ms].map(ms),
      row.recognitions.toFixed(1),
    ])
    const who = row.callers === 1 ? 'one caller' : `${row.callers} callers at once`
    const what = `text within ${aims.endOfTurnMs} ms of the end-of-turn decision`
    report.atMost(`${what} (p95), ${who}`, row.p95Ms, aims.endOfTurnMs, ms)
  }
}

export function addVad(
  report: Report,
  { baselinePerCent, rows }: { baselinePerCent: number; rows: readonly VadRow[] },
): void {
  report.heading('Voice activity')
  const percent = withUnit('%', 2)
  const callsOf = ({ streams, silent }: VadRow) =>
    `${streams}${silent > 0 ? `, ${silent} of them silent` : streams > 1 ? ', all speaking' : ''}`
  const table = report.table(['calls', 'of a core', 'of a core per call', 'longest answer'])
  for (const row of rows) {
    table.row([callsOf(row), percent(row.corePerCent), percent(row.perCallPerCent), ms(row.longestMs)])
    const what = `VAD under ${aims.vadPerCent} % of a core per call, ${callsOf(row)}`
    report.under(what, row.perCallPerCent, aims.vadPerCent, percent)
  }
  report.text(`The benchmark's own clock, ${percent(baselinePerCent)}, is taken off.`)
}

export function addLoop(report: Report, rows: readonly LoopRow[]): void {
  report.heading('Event-loop delay of the main thread while all of it runs')
  const table = report.table(['while', 'p50', 'p99', 'longest', 'gaps in the voices', 'text of 3 s after'])
  for (const row of rows)
    table.row([row.while, ms(row.p50Ms), ms(row.p99Ms), ms(row.maxMs), row.gaps ?? '-', orDash(row.hearingMs)])
  const p99 = largest(rows.map((row) => row.p99Ms))
  report.under(`event-loop delay under ${aims.loopP99Ms} ms (p99) beside speech`, p99, aims.loopP99Ms, ms)
}

export function addMemory(report: Report, rows: readonly MemoryRow[]): void {
  report.heading(
    'Memory, each engine in a process of its own after its first use, the natural voice with all its voices',
  )
  const table = report.table(['engine', 'opened in', 'resident', 'proportional', 'highest'])
  for (const { engine, openMs, residentMb, proportionalMb, peakMb } of rows)
    table.row([engine, ms(openMs), megabytes(residentMb), megabytes(proportionalMb), megabytes(peakMb)])
  const natural = rows.find(({ engine }) => engine === 'natural, fast way')
  const what = `natural voice under ${aims.naturalMb} MB with all languages`
  if (natural) report.under(what, natural.residentMb, aims.naturalMb, megabytes)
}
