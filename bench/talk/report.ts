// The scores as Markdown: one row per class, and each target next to the measured figure.
import { wordErrorRate } from '../../src/speech/word-errors.ts'
import { type Figure, median, NOT_MEASURED, percentile } from '../report/figures.ts'
import { type Aim, type Cell, tableText } from '../report/markdown.ts'
import { talkClasses } from './dialogue.ts'
import { asides, type Interaction } from './interaction.ts'
import type { RuleScore } from './livekit-rules.ts'
import type { CallScore, TurnScore } from './score.ts'

/** Milliseconds without the unit; infinite if the agent did not react at all. */
const ms = (n: Figure) => (n === null ? '-' : n === Number.POSITIVE_INFINITY ? 'missed' : n.toFixed(0))
const of = (n: number, all: number) => (all === 0 ? '-' : `${n}/${all}`)
const percent = (n: number, all: number) => (all === 0 ? '-' : `${((100 * n) / all).toFixed(0)} %`)
const table = (heads: readonly string[], rows: Cell[][]) => tableText({ heads, rows })

const turnsOf = (calls: readonly CallScore[]): TurnScore[] => calls.flatMap(({ turns }) => turns)
const defined = <T>(values: readonly (T | null)[]): T[] => values.flatMap((value) => (value === null ? [] : [value]))

function rowOf(name: string, calls: readonly CallScore[]): (string | number)[] {
  const turns = turnsOf(calls)
  const asked = turns.filter(({ isRight }) => isRight !== null)
  const judged = turns.filter(({ isCutOff }) => isCutOff !== null)
  const gaps = defined(turns.map(({ gapMs }) => gapMs))
  const overlaps = turns.flatMap((turn) => turn.overlaps)
  const bargeIns = defined(turns.map(({ bargeInMs }) => bargeInMs))
  const digits = defined(turns.map((turn) => turn.digits))
  const words = turns.filter(({ words: said }) => said !== '').map(({ errors }) => errors)
  return [
    name,
    calls.length,
    of(asked.filter(({ isRight }) => isRight).length, asked.length),
    of(judged.filter(({ isCutOff }) => isCutOff).length, judged.length),
    `${ms(percentile(gaps, 0.5))} / ${ms(percentile(gaps, 0.95))}`,
    words.length === 0 ? '-' : `${(100 * wordErrorRate(words)).toFixed(0)} %`,
    of(digits.filter(({ said, heard }) => said === heard).length, digits.length),
    of(overlaps.filter(({ pauseMs }) => pauseMs > 0).length, overlaps.length),
    turns.filter(({ isDropped }) => isDropped).length,
    bargeIns.length === 0 ? '-' : [0.5, 0.95, 1].map((part) => ms(percentile(bargeIns, part))).join(' / '),
    calls.reduce((sum, { deadAirMs }) => sum + deadAirMs.length, 0),
    `${calls.reduce((sum, { repeated }) => sum + repeated, 0)}, ${turns.filter(({ isLost }) => isLost).length}`,
    calls.filter(({ isStuck }) => isStuck).length,
  ]
}

const heads = [
  'class',
  'calls',
  'answered rightly',
  'cut-offs',
  'gap p50 / p95 ms',
  'word errors',
  'all digits right',
  'false pauses',
  'dropped',
  'barge-in p50 / p95 / max ms',
  'dead air',
  'repeated, lost',
  'stuck',
]

export function classTable(calls: readonly CallScore[]): string {
  const rows = talkClasses.flatMap((name) => {
    const own = calls.filter((call) => call.class === name)
    return own.length === 0 ? [] : [rowOf(name, own)]
  })
  return table(heads, [...rows, rowOf('**all**', calls)])
}

const stages = ['vadMs', 'recognitionMs', 'endOfTurnMs', 'modelMs', 'synthesisMs', 'pacingMs', 'totalMs'] as const
export function stageTable(calls: readonly CallScore[]): string {
  const latencies = defined(turnsOf(calls).map(({ latency }) => latency))
  const rows = stages.map((stage) => {
    const values = defined(latencies.map((latency) => latency[stage]))
    return [stage, values.length, ms(percentile(values, 0.5)), ms(percentile(values, 0.95)), ms(percentile(values, 1))]
  })
  return table(['stage', 'turns', 'p50 ms', 'p95 ms', 'max ms'], rows)
}

const mean = (values: readonly number[]): Figure =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** What tau-voice and EVA print, one figure each with the events behind it. */
export function interactionFigures(calls: readonly CallScore[]) {
  const all = calls.map(({ interaction }) => interaction)
  const every = <T>(list: (one: Interaction) => readonly T[]) => all.flatMap((one) => list(one))
  const responses = every(({ responsesMs }) => responsesMs)
  const answered = defined(responses)
  const yields = every(({ yieldsMs }) => yieldsMs)
  const yielded = yields.filter(Number.isFinite)
  const intrusions = all.reduce((sum, one) => sum + one.intrusions, 0)
  const turnTaking = every((one) => one.turnTaking)
  const share = (part: readonly unknown[], whole: readonly unknown[]): Figure =>
    whole.length === 0 ? null : part.length / whole.length
  const ignored = asides.map((kind) => {
    const own = every((one) => one.ignored).filter((one) => one.kind === kind)
    return { kind, share: share(own.filter(({ isRight }) => isRight), own), events: own.length } // biome-ignore format: one line
  })
  return {
    responseMs: { found: mean(answered), events: answered.length },
    responseRate: { found: share(answered, responses), events: responses.length },
    yieldMs: { found: mean(yielded), events: yielded.length },
    yieldRate: { found: share(yielded, yields), events: yields.length },
    intrusions: { found: responses.length === 0 ? null : intrusions / responses.length, events: responses.length },
    ignored,
    turnTaking: { found: mean(turnTaking), events: turnTaking.length },
  }
}

export function interactionTable(calls: readonly CallScore[]): string {
  const found = interactionFigures(calls)
  const seconds = (figure: Figure) => (figure === null ? '-' : `${(figure / 1000).toFixed(2)} s`)
  const fraction = (figure: Figure) => (figure === null ? '-' : figure.toFixed(2))
  const ducked = defined(turnsOf(calls).map(({ duckedMs }) => duckedMs))
  const silent = defined(turnsOf(calls).map(({ bargeInMs }) => bargeInMs))
  const three = (values: readonly number[]) =>
    values.length === 0 ? '-' : [0.5, 0.95, 1].map((part) => ms(percentile(values, part))).join(' / ')
  const names = { backchannel: 'backchannels', tic: 'vocal tics', 'side-talk': 'side talk' }
  return table(
    ['score', 'measured', 'events'],
    [
      ['lowers its voice after p50 / p95 / worst ms', three(ducked), ducked.length],
      ['is silent after p50 / p95 / worst ms', three(silent), silent.length],
      ['tau-voice: response latency L_R', seconds(found.responseMs.found), found.responseMs.events],
      ['tau-voice: response rate R_R', fraction(found.responseRate.found), found.responseRate.events],
      ['tau-voice: yield latency L_Y', seconds(found.yieldMs.found), found.yieldMs.events],
      ['tau-voice: yield rate R_Y', fraction(found.yieldRate.found), found.yieldRate.events],
      [
        'tau-voice: interruptions of the caller per turn I_A',
        fraction(found.intrusions.found),
        found.intrusions.events,
      ],
      ...found.ignored.map(({ kind, share, events }) => [`tau-voice: ${names[kind]} ignored`, fraction(share), events]),
      ['EVA: turn-taking', fraction(found.turnTaking.found), found.turnTaking.events],
    ],
  )
}

/** The project's targets; one without a measurement is neither met nor missed. */
export function aimsOf(calls: readonly CallScore[]): Aim[] {
  const of_ = (...names: string[]) => calls.filter((call) => names.includes(call.class))
  const share = (what: string, hits: number, all: number, isMet: (part: number) => boolean): Aim => ({
    what,
    found: all === 0 ? NOT_MEASURED : `${percent(hits, all)} (${hits} of ${all})`,
    isMet: all === 0 ? null : isMet(hits / all),
  })
  const right = (what: string, list: readonly CallScore[], least: number): Aim => {
    const asked = turnsOf(list).filter(({ isRight, digits }) => isRight !== null && digits === null)
    return share(what, asked.filter(({ isRight }) => isRight).length, asked.length, (part) => part >= least)
  }
  const atMost = (what: string, values: readonly number[], part: number, most: number): Aim => {
    const found = percentile(values, part)
    return { what, found: found === null ? NOT_MEASURED : `${ms(found)} ms`, isMet: found === null ? null : found <= most } // biome-ignore format: one line
  }
  const turns = turnsOf(calls)
  const judged = turns.filter(({ isCutOff }) => isCutOff !== null)
  const cut = (isHesitant: boolean) => judged.filter((turn) => turn.isHesitant === isHesitant)
  const digits = defined(turns.map((turn) => turn.digits))
  const overlaps = turnsOf(of_('backchannel', 'backchannel-loud')).flatMap((turn) => turn.overlaps)
  const soft = turnsOf(of_('backchannel')).flatMap((turn) => turn.overlaps)
  const dropped = turnsOf(of_('backchannel', 'backchannel-loud')).filter(({ isDropped }) => isDropped).length
  const bargeIns = defined(turns.map(({ bargeInMs }) => bargeInMs))
  const gaps = defined(turns.map(({ gapMs }) => gapMs))
  const deadAir = calls.reduce((sum, { deadAirMs }) => sum + deadAirMs.length, 0)
  const early = of_('over-greeting', 'never-pauses').map(({ greetingMs }) => greetingMs ?? Number.POSITIVE_INFINITY)
  const few = (what: string, n: number, all: number): Aim => ({ what, found: all === 0 ? NOT_MEASURED : String(n), isMet: all === 0 ? null : n === 0 }) // biome-ignore format: one line
  return [
    right('fluent plain turns answered rightly ≥ 95 %', of_('plain'), 0.95),
    right('one-word answers ≥ 97 %', of_('one-word'), 0.97),
    share('cut-offs ≤ 5 % of hesitant turns', cut(true).filter(({ isCutOff }) => isCutOff).length, cut(true).length, (part) => part <= 0.05), // biome-ignore format: one line
    share('cut-offs ≤ 1 % of others', cut(false).filter(({ isCutOff }) => isCutOff).length, cut(false).length, (part) => part <= 0.01), // biome-ignore format: one line
    share('all digits right in ≥ 90 % of dictated numbers', digits.filter(({ said, heard }) => said === heard).length, digits.length, (part) => part >= 0.9), // biome-ignore format: one line
    share('pauses over 300 ms in ≤ 5 % of low backchannels', soft.filter(({ pauseMs }) => pauseMs > 0).length, soft.length, (part) => part <= 0.05), // biome-ignore format: one line
    share('pauses over 300 ms in ≤ 5 % of all backchannels', overlaps.filter(({ pauseMs }) => pauseMs > 0).length, overlaps.length, (part) => part <= 0.05), // biome-ignore format: one line
    few('answers dropped after backchannels: 0', dropped, overlaps.length),
    right('television at −15 dB: ≥ 80 % answered rightly', of_('tv-15'), 0.8),
    atMost('barge-in p50 ≤ 300 ms', bargeIns, 0.5, 300),
    atMost('barge-in p95 ≤ 400 ms', bargeIns, 0.95, 400),
    atMost('barge-in worst ≤ 500 ms', bargeIns, 1, 500),
    atMost('gap p50 ≤ 800 ms', gaps, 0.5, 800),
    atMost('gap p95 ≤ 1,200 ms', gaps, 0.95, 1200),
    few('dead air over 3 s: 0', deadAir, calls.length),
    atMost('greeting within 2 s into speech', early, 1, 2000),
    ...interactionAims(calls),
    few('calls stuck: 0', calls.filter(({ isStuck }) => isStuck).length, calls.length),
  ]
}

/** The best that others publish, or better. */
function interactionAims(calls: readonly CallScore[]): Aim[] {
  const { responseRate, yieldMs, yieldRate, intrusions, ignored, turnTaking } = interactionFigures(calls)
  const aim = (what: string, found: Figure, isMet: (figure: number) => boolean, digits = 2): Aim => ({
    what,
    found: found === null ? NOT_MEASURED : found.toFixed(digits),
    isMet: found === null ? null : isMet(found),
  })
  const least = { backchannel: 0.95, tic: 0.9, 'side-talk': 0.8 }
  return [
    aim('turns answered (R_R) ≥ 0.99', responseRate.found, (figure) => figure >= 0.99),
    aim('yield latency (L_Y) ≤ 350 ms', yieldMs.found, (figure) => figure <= 350, 0),
    aim('yield rate (R_Y) ≥ 0.98', yieldRate.found, (figure) => figure >= 0.98),
    aim('caller interrupted per turn (I_A) ≤ 0.07', intrusions.found, (figure) => figure <= 0.07),
    ...ignored.map(({ kind, share }) => aim(`${kind} ignored ≥ ${least[kind]}`, share, (part) => part >= least[kind])),
    aim('EVA turn-taking ≥ 0.90', turnTaking.found, (figure) => figure >= 0.9),
  ]
}

/** What went wrong in a call, for debugging. */
export function faultsOf(call: CallScore): string[] {
  const faults = call.turns.flatMap((turn) => [
    ...(turn.isCutOff ? [`cut off in "${turn.words}"`] : []),
    ...(turn.isRight === false ? [`"${turn.words}" heard as "${turn.heard}"`] : []),
    ...turn.overlaps
      .filter(({ pauseMs }) => pauseMs > 0)
      .map(({ what, pauseMs }) => `paused ${ms(pauseMs)} ms at "${what}"`),
    ...(turn.isDropped ? ['answer dropped'] : []),
    ...(turn.isLost ? [`no reply said to "${turn.words}"`] : []),
    ...(turn.bargeInMs !== null && turn.bargeInMs > 400 ? [`barge-in ${ms(turn.bargeInMs)}`] : []),
    ...(turn.gapMs !== null && turn.gapMs > 1300 ? [`gap ${ms(turn.gapMs)} ms after "${turn.words}"`] : []),
  ])
  return [
    ...faults,
    ...call.deadAirMs.map((dead) => `dead air ${ms(dead)} ms`),
    ...(call.repeated > 0 ? [`${call.repeated} repeated`] : []),
    ...(call.isGreeted ? [] : ['greeting not said to its end']),
    ...(call.isStuck ? ['stuck'] : []),
  ]
}

/** The median of each stage in this run; null if it was not measured. */
export function medianStages(
  calls: readonly CallScore[],
): Record<'recognitionMs' | 'modelMs' | 'synthesisMs', number> | null {
  const latencies = defined(turnsOf(calls).map(({ latency }) => latency))
  const middle = (stage: (typeof stages)[number]) => median(latencies.map((one) => one[stage]))
  const [recognitionMs, modelMs, synthesisMs] = [middle('recognitionMs'), middle('modelMs'), middle('synthesisMs')]
  if (recognitionMs === null || modelMs === null || synthesisMs === null) return null
  return { recognitionMs, modelMs, synthesisMs }
}

export function ruleTable(scores: readonly RuleScore[]): string {
  const row = (name: string, own: readonly RuleScore[]) => {
    const judged = own.filter(({ isCutOff }) => isCutOff !== null)
    const gaps = defined(own.map(({ gapMs }) => gapMs))
    const bargeIns = defined(own.map(({ bargeInMs }) => bargeInMs))
    const overlaps = own.reduce((sum, one) => sum + one.overlaps, 0)
    return [
      name,
      of(judged.filter(({ isCutOff }) => isCutOff).length, judged.length),
      of(judged.filter(({ isDivided }) => isDivided).length, judged.length),
      `${ms(percentile(gaps, 0.5))} / ${ms(percentile(gaps, 0.95))}`,
      of(
        own.reduce((sum, one) => sum + one.falsePauses, 0),
        overlaps,
      ),
      bargeIns.length === 0 ? '-' : [0.5, 0.95, 1].map((part) => ms(percentile(bargeIns, part))).join(' / '),
    ]
  }
  const rows = talkClasses.flatMap((name) => {
    const own = scores.filter((score) => score.class === name)
    return own.length === 0 ? [] : [row(name, own)]
  })
  const titles = [
    'class',
    'cut-offs',
    'divided turns',
    'gap p50 / p95 ms',
    'false pauses',
    'barge-in p50 / p95 / max ms',
  ]
  return table(titles, [...rows, row('**all**', scores)])
}
