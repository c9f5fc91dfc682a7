// Listens in on a live call: audio frames arrive over a WebSocket and are played.
import { withOrganization } from '../../organization.ts'
import { type Level, mixToMono, startTime } from './monitor-audio.ts'

export type ListenState = 'connecting' | 'listening' | 'ended' | 'failed'

type ListenCallbacks = { onState(state: ListenState, detail?: string): void; onLevel(level: Level): void }

/** Plays five 20 ms frames at a time, to create fewer audio nodes. */
const FRAMES_AT_ONCE = 5

/** Call this from a click handler: browsers block audio without a user gesture. */
export function listenTo(callId: string, { onState, onLevel }: ListenCallbacks): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const address = withOrganization(`${scheme}://${location.host}/api/calls/${callId}/listen`)
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  const audio = new AudioContext({ latencyHint: 'interactive' })
  let rateHz = 16_000
  let endsAt = 0
  let waiting: Int16Array[] = []
  let isOver = false

  function play(): void {
    const frames = waiting
    waiting = []
    const stereo = new Int16Array(frames.reduce((length, frame) => length + frame.length, 0))
    let at = 0
    for (const frame of frames) {
      stereo.set(frame, at)
      at += frame.length
    }
    const { samples, level } = mixToMono(stereo)
    onLevel(level)
    const start = startTime(endsAt, audio.currentTime)
    if (start === null || samples.length === 0) return
    const buffer = audio.createBuffer(1, samples.length, rateHz)
    buffer.copyToChannel(samples, 0)
    const source = audio.createBufferSource()
    source.buffer = buffer
    source.connect(audio.destination)
    source.start(start)
    endsAt = start + buffer.duration
  }

  function end(state: ListenState, detail?: string): void {
    if (isOver) return
    isOver = true
    socket.close()
    void audio.close()
    onLevel({ caller: 0, agent: 0 })
    onState(state, detail)
  }

  onState('connecting')
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (isOver) return
    if (typeof data === 'string') {
      const message = JSON.parse(data) as { type: string; rateHz?: number }
      if (message.type === 'format') {
        rateHz = message.rateHz ?? rateHz
        onState('listening')
      } else if (message.type === 'ended') end('ended')
      return
    }
    waiting.push(new Int16Array(data))
    if (waiting.length >= FRAMES_AT_ONCE) play()
  }
  socket.onclose = ({ code, reason }) => end(code === 1000 ? 'ended' : 'failed', reason)
  return () => end('ended')
}
