// Runs an answered call to its end, whatever carries it: conversation, recording, time limits, and how it ended.
import type { Log } from '../base/process/log.ts'
import { callRecording, type RecordingFolder } from '../rtp/call-recording.ts'
import type { Transport } from '../voice/ports.ts'
import { endOfConversation, systemEnds } from './endings.ts'
import type { Announce, AnsweredCall, CallEnd, CallRepository, Converse, HangUpReason } from './ports.ts'

export type AnsweredCallParts = {
  calls: Pick<CallRepository, 'answered' | 'recorded'>
  converse: Converse
  announce: Announce
  recordings: RecordingFolder
  maxCallMs: number
  log: Log
}

export type AnsweredCallOptions = Omit<AnsweredCall, 'conversationId'> & {
  /** False: this call is not recorded, whatever the agent's settings say. */
  mayRecord: boolean
  /** The clock of this call's record. */
  now: () => string
}

/** What a connection may do with its call. */
export type CallControl = {
  /** Ends the call. Only the first reason counts. */
  end(reason: CallEnd): void
  /** Aborts when the call ends. */
  signal: AbortSignal
  onError(error: unknown): void
}

/** The connection that carries a call: a SIP dialog with its media leg, or a browser. */
export type CallConnection = {
  transport: Transport
  /** Resolves when audio can flow, or with the reason why it never will. */
  ready: Promise<CallEnd | undefined>
  onAnswered?(conversationId: string): void
  /** Resolves when the file is open. */
  record(path: string, onFailed: (problem: string) => void): Promise<void>
  /** Ends the conversation while the call itself continues: the caller was bridged to somebody else. */
  agentSignal?: AbortSignal
  /** Called when the conversation is over. True: the call continues without the agent. */
  detachAgent?(): boolean
  hangUp(): void
  /** Resolves when the connection is over, whoever ended it. */
  closed: Promise<unknown>
  /** Frees the media. The recording is complete when it resolves. */
  close(): Promise<void>
}

export type RunningCall<Connection extends CallConnection = CallConnection> = {
  connection: Connection
  hangUp(reason: HangUpReason): void
  /** Resolves when the call is over and its recording is complete. */
  done: Promise<CallEnd>
}

export function runAnsweredCall<Connection extends CallConnection>(
  parts: AnsweredCallParts,
  { mayRecord, now, ...call }: AnsweredCallOptions,
  connect: (control: CallControl) => Connection,
): RunningCall<Connection> {
  const { log, calls } = parts
  const { callId, agent } = call
  const over = new AbortController()
  const recording = callRecording(parts.recordings, callId)
  let ending: CallEnd | undefined

  function end(reason: CallEnd): void {
    ending ??= { ...reason, endedAt: now() }
    over.abort()
    connection.hangUp()
  }
  const onError = (err: unknown) => log.error({ err, callId }, 'call step failed')
  const connection = connect({ end, signal: over.signal, onError })

  async function record(answered: AnsweredCall): Promise<void> {
    if (!agent.recording || !mayRecord) return
    const { consentNotice } = agent.recording
    if (consentNotice) await parts.announce(answered, consentNotice, connection.transport, over.signal)
    if (over.signal.aborted) return
    const onFailed = (problem: string) => {
      recording.failed(problem)
      log.error({ callId, problem }, 'recording failed; the call continues')
    }
    const hasRoom = await recording.begin(
      (path) => connection.record(path, onFailed),
      () => over.signal.aborted,
    )
    if (over.signal.aborted) return
    if (hasRoom) await calls.recorded(callId, recording)
    else log.error({ callId }, 'recording not started: disk nearly full')
  }

  async function converse(): Promise<void> {
    const problem = await connection.ready
    if (over.signal.aborted) return
    if (problem) return end(problem)
    const started = await calls.answered(callId, now())
    if (!started) return end(systemEnds.api) // hung up through the API before it was answered
    if ('problem' in started) return end(systemEnds[started.problem])
    connection.onAnswered?.(started.conversationId)
    const answered = { ...call, conversationId: started.conversationId }
    await record(answered).catch(onError)
    if (over.signal.aborted) return
    const signal = connection.agentSignal ? AbortSignal.any([over.signal, connection.agentSignal]) : over.signal
    const result = await parts.converse(answered, connection.transport, signal)
    if (!connection.detachAgent?.()) end(endOfConversation(result))
  }

  async function run(): Promise<CallEnd> {
    const limitMs = Math.min(parts.maxCallMs, agent.maxDurationMs ?? Number.POSITIVE_INFINITY)
    const timer = setTimeout(() => end(systemEnds.max_duration), limitMs)
    const conversation = converse().catch((err) => {
      if (over.signal.aborted) return
      onError(err)
      if (!connection.detachAgent?.()) end(systemEnds.broken)
    })
    await connection.closed
    clearTimeout(timer)
    await connection.close() // the recording must be complete before its outcome is read
    await conversation
    return { ...(ending ?? systemEnds.api), recording: await recording.outcome() }
  }

  return { connection, hangUp: (reason) => end(systemEnds[reason]), done: run() }
}
