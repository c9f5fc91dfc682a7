// The media worker thread: one clock, all legs served per tick, one message to the main thread.
import { parentPort, workerData } from 'node:worker_threads'
import { loadOpus } from '../audio/opus.ts'
import { createResampler } from '../audio/resample.ts'
import { containFaults, runContained } from '../base/errors/error-containment.ts'
import { NICENESS, setThreadNiceness } from '../base/process/thread-priority.ts'
import { isInputCommand, LegInput } from './leg-input.ts'
import { beginReads } from './polled-socket.ts'
import { RtpLeg } from './rtp-leg.ts'
import { type Command, readBatch, sharedMs, type ToWorker, type WorkerSetup } from './wire.ts'
import { WorkerLoop } from './worker-loop.ts'

const { host } = workerData as WorkerSetup
const port = parentPort
if (!port) throw new Error('worker.ts runs as a worker')

const taken = new Set(['EADDRINUSE', 'EACCES'])

setThreadNiceness(NICENESS.media)
// A fault outside any leg ends the thread.
containFaults((error) => {
  throw error
})
// Packets are slices of larger buffers.
Buffer.poolSize = 65_536

const legs = new Map<number, RtpLeg>()
const inputs = new Map<RtpLeg, LegInput>()

const loop = new WorkerLoop(port, (nowMs, skipped) => {
  // Without closures: these two run for every leg 50 times a second.
  for (const leg of legs.values()) {
    try {
      leg.send(nowMs, skipped)
    } catch (error) {
      failed(leg, error)
    }
  }
  const sharedNowMs = sharedMs()
  beginReads()
  for (const [leg, input] of inputs) {
    try {
      const frame = leg.hear(nowMs)
      if (frame && !leg.pass(frame)) input.take(frame, sharedNowMs)
    } catch (error) {
      failed(leg, error)
    }
  }
})
const { note, flush, batch, vads } = loop

/** An error in one leg ends that leg alone. */
function failed(leg: RtpLeg, error: unknown): void {
  void close(leg, error instanceof Error ? error.message : String(error))
}

/** Also contains errors of the leg's sockets and files. */
const contained = <T>(leg: RtpLeg, run: () => T): T => runContained((error) => failed(leg, error), run)

async function close(leg: RtpLeg, fault?: string): Promise<void> {
  // First: what follows from closing must not look like a normal end.
  if (fault !== undefined) note({ is: 'event', leg: leg.id, event: { type: 'failed', problem: fault } })
  legs.delete(leg.id)
  inputs.get(leg)?.close()
  inputs.delete(leg)
  if (legs.size === 0) loop.stop()
  const stats = leg.stats()
  let problem: string | undefined
  try {
    await leg.close()
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  note({ is: 'closed', leg: leg.id, stats, problem })
  flush()
}

async function open(command: Command & { do: 'open' }): Promise<void> {
  const leg = new RtpLeg(command, note)
  try {
    await contained(leg, () => leg.bind(host, command.port))
    legs.set(leg.id, leg)
    inputs.set(leg, new LegInput(leg.id, { batch, note }))
    loop.start()
    note({ is: 'opened', leg: leg.id })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    note({ is: 'not-opened', leg: leg.id, isTaken: taken.has(code), problem: code })
  }
  flush()
}

function obey(command: Command): void {
  if (command.do === 'open') return void open(command)
  if (command.do === 'vad-port' || command.do === 'vad-stopped') return void vads.obey(command)
  const leg = legs.get(command.leg)
  if (!leg) return
  try {
    obeyFor(leg, command)
  } catch (error) {
    failed(leg, error)
  }
}

type LegCommand = Exclude<Command, { do: 'open' | 'vad-port' | 'vad-stopped' }>

function obeyFor(leg: RtpLeg, command: LegCommand): void {
  if (isInputCommand(command)) inputs.get(leg)?.obey(command, vads)
  else if (command.do === 'configure') leg.configure(command.settings)
  else if (command.do === 'play') leg.outgoing.plays.open(command.play)
  else if (command.do === 'drop') leg.outgoing.plays.drop(command.play)
  else if (command.do === 'volume') leg.outgoing.setVolume(command.gain)
  else if (command.do === 'hold') leg.outgoing.plays.hold(command.isHeld)
  else if (command.do === 'digits') leg.outgoing.digits.add(command)
  else if (command.do === 'join') joinWith(leg, legs.get(command.other))
  else if (command.do === 'stats') note({ is: 'done', leg: leg.id, job: command.job, stats: leg.stats() })
  else if (command.do === 'close') void close(leg)
  else {
    const { job } = command
    void contained(leg, async () => {
      await (command.do === 'record' ? leg.record(command.path) : leg.stopRecording())
      note({ is: 'done', leg: leg.id, job })
      flush()
    })
  }
}

function joinWith(leg: RtpLeg, other: RtpLeg | undefined): void {
  if (other && other !== leg) leg.join(other)
}

/** Builds the resampling filters of the speech engines' rates now: 30 ms each, too long during a call. */
for (const fromHz of [22_050, 44_100]) for (const toHz of [8000, 16_000]) createResampler(fromHz, toHz)
await loadOpus().catch(() => {})

port.on('message', ({ commands, audio }: ToWorker) => {
  for (const command of commands) obey(command)
  if (audio) {
    readBatch(audio, ({ leg, play, rateHz, pcm }) => {
      const plays = legs.get(leg)?.outgoing.plays
      if (rateHz === 0) plays?.end(play)
      else plays?.push(play, pcm, rateHz)
    })
  }
  flush()
})
note({ is: 'ready' })
flush()
