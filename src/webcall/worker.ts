// The worker thread of web calls: one clock, all calls served per tick, one message to the main thread, as in rtp/worker.ts.
// Separate from RTP: WebRTC costs ten times as much, and exceptions in its library must not end telephone calls.
import { parentPort } from 'node:worker_threads'
import { loadOpus } from '../audio/opus.ts'
import { containFaults, runContained } from '../base/errors/error-containment.ts'
import { NICENESS, setThreadNiceness } from '../base/process/thread-priority.ts'
import { isInputCommand, LegInput } from '../rtp/leg-input.ts'
import { TO_SOCKET, type WebCommand, type WebEvent, type WebNotification } from '../rtp/web-wire.ts'
import { type Command, readBatch, sharedMs, type ToWorker } from '../rtp/wire.ts'
import { WorkerLoop } from '../rtp/worker-loop.ts'
import { OUTPUT_HZ } from './protocol.ts'
import { WorkerLeg } from './worker-leg.ts'

const port = parentPort
if (!port) throw new Error('worker.ts runs as a worker')

const MAX_PROBLEM_CHARS = 1000

setThreadNiceness(NICENESS.media)
// Exceptions in the library's own sockets and timers, whatever a browser sends, end only that browser's call. Any other error ends the
// thread.
containFaults((error) => {
  throw error
})

const legs = new Map<number, WorkerLeg>()
const inputs = new Map<WorkerLeg, LegInput>()

const loop = new WorkerLoop<WebNotification>(port, (nowMs, skipped) => {
  for (const leg of legs.values()) guarded(leg, () => leg.send(skipped))
  const sharedNowMs = sharedMs()
  for (const [leg, input] of inputs) {
    guarded(leg, () => {
      const frame = leg.hear(nowMs)
      if (frame) input.take(frame, sharedNowMs)
    })
  }
})
const { note, flush, batch, vads } = loop

const problemOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM_CHARS)

/** An exception ends only this call. */
function guarded(leg: WorkerLeg, action: () => void): void {
  try {
    action()
  } catch (error) {
    void close(leg, problemOf(error))
  }
}

async function close(leg: WorkerLeg, fault?: string): Promise<void> {
  // First: what follows from closing must not look like a normal end.
  if (fault !== undefined) note({ is: 'event', leg: leg.id, event: { type: 'failed', problem: fault } })
  inputs.get(leg)?.close()
  inputs.delete(leg)
  const stats = leg.stats()
  let problem: string | undefined
  try {
    await leg.close()
  } catch (error) {
    problem = problemOf(error)
  }
  note({ is: 'closed', leg: leg.id, stats, problem })
  flush()
}

/** After `close`: the last messages are delivered, then the connection ends. */
function disconnect(leg: WorkerLeg): void {
  legs.delete(leg.id)
  if (legs.size === 0) loop.stop()
  void leg.disconnect().catch(() => {})
}

/** For code that uses the WebRTC library. */
function contained(leg: WorkerLeg, run: () => Promise<void>): Promise<void> {
  const onFault = (error: unknown) => {
    note({ is: 'web', leg: leg.id, event: { type: 'fault', problem: problemOf(error) } })
    flush()
  }
  return runContained(onFault, run)
}

function open(command: WebCommand & { do: 'open-web' }): void {
  const event = (one: WebEvent) => note({ is: 'web', leg: command.leg, event: one })
  const toSocket = (pcm: Int16Array) => batch.add({ leg: command.leg, play: TO_SOCKET, rateHz: OUTPUT_HZ, pcm })
  const leg = new WorkerLeg(command, { note, event, toSocket })
  legs.set(leg.id, leg)
  inputs.set(leg, new LegInput(leg.id, { batch, note }))
  loop.start()
  contained(leg, () => leg.open(command))
    .catch((error) => event({ type: 'no-answer', job: 0, problem: problemOf(error) }))
    .finally(flush)
}

function restartIce(leg: WorkerLeg, { job, offer }: WebCommand & { do: 'restart-ice' }): void {
  void contained(leg, () => leg.restartIce(job, offer)).finally(flush)
}

function obey(command: Command | WebCommand): void {
  if (command.do === 'open-web') return void open(command)
  if (command.do === 'vad-port' || command.do === 'vad-stopped') return void vads.obey(command)
  const leg = legs.get(command.leg)
  if (leg) guarded(leg, () => obeyFor(leg, command))
}

type LegCommand = Exclude<Command | WebCommand, { do: 'open-web' | 'vad-port' | 'vad-stopped' }>

function obeyFor(leg: WorkerLeg, command: LegCommand): void {
  const { audio } = leg
  if (isInputCommand(command)) inputs.get(leg)?.obey(command, vads)
  else if (command.do === 'play') audio?.open(command.play)
  else if (command.do === 'drop') audio?.drop(command.play)
  else if (command.do === 'volume') audio?.volume(command.gain)
  else if (command.do === 'hold') audio?.hold(command.isHeld)
  else if (command.do === 'message') leg.sendMessage(command.text)
  else if (command.do === 'restart-ice') restartIce(leg, command)
  else if (command.do === 'stats') note({ is: 'done', leg: leg.id, job: command.job, stats: leg.stats() })
  else if (command.do === 'close') void close(leg)
  else if (command.do === 'disconnect') disconnect(leg)
  else if (command.do === 'record') {
    const { job, path } = command
    const onFailed = (problem: string) =>
      note({ is: 'event', leg: leg.id, event: { type: 'recording-failed', problem } })
    void (audio?.record(path, onFailed) ?? Promise.resolve()).then(() => {
      note({ is: 'done', leg: leg.id, job })
      flush()
    })
  }
}

await loadOpus().catch(() => {})

port.on('message', ({ commands, audio }: ToWorker<Command | WebCommand>) => {
  for (const command of commands) obey(command)
  if (audio) {
    readBatch(audio, ({ leg: id, play, rateHz, pcm }) => {
      const leg = legs.get(id)
      if (play < 0) leg?.putSocketAudio(-play, pcm)
      else if (rateHz === 0) leg?.audio?.end(play)
      else leg?.audio?.push(play, pcm, rateHz)
    })
  }
  flush()
})
note({ is: 'ready' })
flush()
