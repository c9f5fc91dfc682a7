// Predicts by simulating the schedule at the measured pace: whether a stream that starts to play now would underrun, and when a new
// one could start. A rule of thumb (a fixed buffer per stream) left gaps where a short clause is followed by a long one.

import { planChunks } from './chunks.ts'
import { type Lane, lengthMs, msOfSteps, nextTask, type Piece, type Stream, type Task, taskCostMs } from './schedule.ts'

/** Safety factor on the expected run times. */
const MARGIN = 1.1
/** A run that is late by no more than this is inaudible. */
const LATE_MS = 3
/** A stream with this much buffered will keep it: admitted streams need less than the machine can give. */
const SAFE_MS = 2500
/**
 * Streams that wait beside it come first until they start, with this much more buffered: less caused gaps in a
 * simulation.
 */
const OTHERS_MORE_MS = 1500
const MOST_RUNS = 300
const STEP_MS = msOfSteps(1)

export type Moment = { lanes: readonly (Lane & { readonly pace: number })[]; now: number }
type Run = { until: number; actor: Actor; task: Task }
type Actor = Stream & { startedAt: number | undefined; finishedMs: number; pieces: Piece[]; madeMs: number }

/** `stream` starts now with the audio that it holds. */
export function playsWithoutGap(stream: Stream, heldMs: number, streams: Iterable<Stream>, moment: Moment): boolean {
  const { now } = moment
  const actors = new Map([...streams].map((known) => [known, actorOf(known)]))
  const hero = actors.get(stream) ?? actorOf(stream)
  if (hero.pieces.length === 0) return true
  const cast = [...actors.values()]
  hero.startedAt = now
  let inHandUntil = now + heldMs
  const startOthers = (time: number) => {
    for (const actor of cast)
      if (actor.startedAt === undefined && actor.madeMs >= heldMs + OTHERS_MORE_MS) actor.startedAt = time
  }
  startOthers(now)
  for (const { actor, time, madeMs } of simulated(cast, moment)) {
    startOthers(time)
    if (actor !== hero || madeMs === 0) continue
    if (time > inHandUntil + LATE_MS) return false
    inHandUntil += madeMs
    if (hero.pieces.length === 0 || inHandUntil - time > SAFE_MS) return true
  }
  return true
}

/** How long after `now` a stream that arrives now could start without an underrun. */
export function firstSoundMs(stream: Stream, streams: Iterable<Stream>, moment: Moment): number {
  const hero = actorOf(stream)
  const cast = [...[...streams].map(actorOf), hero]
  let time = moment.now
  for (const run of simulated(cast, moment)) {
    time = run.time
    if (run.actor !== hero || run.madeMs === 0) continue
    if (hero.pieces.length === 0) break
    if (playsWithoutGap(hero, hero.madeMs, cast, { ...moment, now: time })) break
  }
  return time - moment.now
}

/** The runs that follow, in the order in which they end. */
function* simulated(cast: Actor[], moment: Moment): Generator<{ actor: Actor; time: number; madeMs: number }> {
  const lanes: (Run | undefined)[] = moment.lanes.map(() => undefined)
  const paceOf = (i: number) => (moment.lanes[i]?.pace ?? 1) * MARGIN
  for (const actor of cast)
    for (const task of underWay(actor)) {
      const isFront = typeof task.part !== 'number'
      const at = lanes.findIndex((run, i) => !run && moment.lanes[i]?.hasFront === isFront)
      const free = at >= 0 ? at : lanes.indexOf(undefined)
      if (free >= 0) lanes[free] = runOf(actor, task, moment.now, paceOf(free))
    }
  for (let runs = 0, time = moment.now; runs < MOST_RUNS; runs++) {
    for (const [i, lane] of moment.lanes.entries()) {
      const next = lanes[i] ? undefined : nextTask<Piece, Actor>(cast, time, lane)
      if (!next) continue
      give(next.task)
      lanes[i] = runOf(next.stream, next.task, time, paceOf(i))
    }
    const ended = earliest(lanes)
    if (!ended) return
    time = Math.max(time, ended.until)
    const madeMs = take(ended)
    ended.actor.madeMs += madeMs
    yield { actor: ended.actor, time, madeMs }
  }
}

const actorOf = (stream: Stream): Actor => ({
  ...stream,
  pieces: stream.pieces.map((piece) => ({ ...piece })),
  unreadMs: 0,
  madeMs: stream.finishedMs + takenMs(stream.pieces[0]),
})

function takenMs(piece: Piece | undefined): number {
  const [first] = piece?.windows ?? []
  const last = piece?.windows[piece.taken - 1]
  return first && last ? msOfSteps(last.to - first.from) : 0
}

/** Tasks still running, as far as is visible. Their start is unknown, so they count as started now. */
function underWay({ pieces }: Actor): Task[] {
  return pieces.flatMap((piece): Task[] => {
    if (piece.state === 'begun') return [{ piece, part: piece.isPlain ? 'plain' : 'front' }]
    return Array.from({ length: piece.given - piece.taken }, (_, i) => ({ piece, part: piece.taken + i }))
  })
}

const runOf = (actor: Actor, task: Task, from: number, pace: number): Run => ({
  until: from + taskCostMs(task) * pace,
  actor,
  task,
})

function give({ piece, part }: Task): void {
  if (typeof part === 'number') piece.given = part + 1
  else piece.state = 'begun'
}

/** Takes the run that ends first off its lane. */
function earliest(lanes: (Run | undefined)[]): Run | undefined {
  let first = -1
  for (const [i, run] of lanes.entries()) if (run && run.until < (lanes[first]?.until ?? Infinity)) first = i
  const run = lanes[first]
  if (run) lanes[first] = undefined
  return run
}

/** The audio that a run produces, in ms. */
function take({ actor, task: { piece, part } }: Run): number {
  if (part === 'front') {
    const isLater = actor.startedAt !== undefined || actor.pieces[0] !== piece
    piece.windows = planChunks(0, Math.max(1, Math.round(piece.guessMs / STEP_MS)), isLater)
    piece.state = 'windows'
    return 0
  }
  const window = typeof part === 'number' ? piece.windows[part] : undefined
  piece.taken++
  if (!window || piece.taken === piece.windows.length) {
    actor.finishedMs += lengthMs(piece)
    actor.pieces.splice(actor.pieces.indexOf(piece), 1)
  }
  return window ? msOfSteps(window.to - window.from) : piece.guessMs
}
