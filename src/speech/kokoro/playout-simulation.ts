// Predicts whether a stream that starts to play now would underrun, by simulating the schedule at the measured pace. A
// rule of thumb (a fixed buffer per stream) left gaps where a short clause is followed by a long one.

import { planChunks } from './chunks.ts'
import { lengthMs, msOfSteps, nextTask, type Piece, type Stream, type Task, taskCostMs } from './schedule.ts'

/** Safety factor on the expected run times. */
const MARGIN = 1.1
/** A run that is late by no more than this is inaudible. */
const LATE_MS = 3
/** A stream with this much buffered keeps it: admitted streams need less than the machine can deliver. */
const SAFE_MS = 2500
/** Waiting streams have priority until they start with this much more buffered: less caused gaps in a simulation. */
const OTHERS_MORE_MS = 1500
const MAX_RUNS = 300
const STEP_MS = msOfSteps(1)

export type Moment = { threads: number; pace: number; now: number }
type Run = { until: number; actor: Actor; task: Task }
type Actor = Stream & { startedAt: number | undefined; finishedMs: number; pieces: Piece[]; madeMs: number }

/** `stream` starts now with the audio that it holds. */
export function playsWithoutGap(stream: Stream, heldMs: number, streams: Iterable<Stream>, moment: Moment): boolean {
  const { threads, now } = moment
  const pace = moment.pace * MARGIN
  const actors = new Map([...streams].map((known) => [known, actorOf(known)]))
  const hero = actors.get(stream) ?? actorOf(stream)
  const cast = [...actors.values()]
  hero.startedAt = now
  let inHandUntil = now + heldMs
  const startOthers = (time: number) => {
    for (const actor of cast)
      if (actor.startedAt === undefined && actor.madeMs >= heldMs + OTHERS_MORE_MS) actor.startedAt = time
  }
  startOthers(now)
  const running = cast.flatMap((actor) => underWay(actor).map((task) => remainingRun(actor, task, now, pace)))

  for (let runs = 0, time = now; runs < MAX_RUNS && hero.pieces.length > 0; runs++) {
    while (running.length < threads) {
      const next = nextTask<Piece, Actor>(cast, time)
      if (!next) break
      give(next.task)
      running.push(runOf(next.stream, next.task, time, pace))
    }
    const ended = earliest(running)
    if (!ended) return true
    time = Math.max(time, ended.until)
    const madeMs = take(ended)
    ended.actor.madeMs += madeMs
    startOthers(time)
    if (ended.actor !== hero || madeMs === 0) continue
    if (time > inHandUntil + LATE_MS) return false
    inHandUntil += madeMs
    if (inHandUntil - time > SAFE_MS) return true
  }
  return true
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

/** Tasks still running, as far as is visible. */
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

/** A run that takes longer than expected still needs this share of its cost. Without a known start it counts as started now. */
const OVERDUE_SHARE = 0.2

function remainingRun(actor: Actor, task: Task, now: number, pace: number): Run {
  const cost = taskCostMs(task) * pace
  const begunAt = task.piece.begunAt?.get(task.part) ?? now
  return { until: Math.max(begunAt + cost, now + cost * OVERDUE_SHARE), actor, task }
}

function give({ piece, part }: Task): void {
  if (typeof part === 'number') piece.given = part + 1
  else piece.state = 'begun'
}

function earliest(running: Run[]): Run | undefined {
  const [first, ...rest] = running
  if (!first) return undefined
  const run = rest.reduce((best, one) => (one.until < best.until ? one : best), first)
  running.splice(running.indexOf(run), 1)
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
