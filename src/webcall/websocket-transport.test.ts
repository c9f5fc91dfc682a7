// Slow and fast WebSocket clients: buffers and input stay bounded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebSocket } from 'ws'
import type { WebLeg, WebLegEvents } from './web-leg.ts'
import { websocketTransport } from './websocket-transport.ts'

/** A socket whose client reads nothing: everything sent stays buffered. */
function stuckSocket() {
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    isTerminated: false,
    sent: [] as string[],
    send(data: Buffer | string) {
      if (typeof data === 'string') socket.sent.push(data)
      socket.bufferedAmount += data.length
    },
    terminate() {
      socket.isTerminated = true
    },
    handlers: {} as Record<string, (...args: unknown[]) => void>,
    on(name: string, handler: (...args: unknown[]) => void) {
      socket.handlers[name] = handler
    },
    once() {},
    resume() {},
  }
  return socket
}

/** A fake of the worker. */
function fakeMedia() {
  const media = {
    events: undefined as WebLegEvents | undefined,
    samples: 0,
    open(_client: unknown, events: WebLegEvents): WebLeg {
      media.events = events
      const putSocketAudio = (_stream: number, pcm: Int16Array) => {
        media.samples += pcm.length
      }
      return { media: {}, putSocketAudio, disconnect() {} } as unknown as WebLeg
    },
    say: (pcm: Int16Array) => media.events?.onSocketAudio?.(pcm),
  }
  return media
}
const noEvents = { onHangup() {}, onConnectionLost() {}, onMedia() {} }

test('at most two seconds of audio are buffered for a slow client; a stalled one is disconnected', () => {
  const socket = stuckSocket()
  const media = fakeMedia()
  const end = websocketTransport(media, socket as unknown as WebSocket)
  for (let i = 0; i < 1000; i++) media.say(new Int16Array(480))
  assert.ok(socket.bufferedAmount <= 96_960, `${socket.bufferedAmount} bytes wait`)
  assert.equal(socket.isTerminated, false)
  for (let i = 0; i < 1000; i++) end.sendMessage({ type: 'said', who: 'agent', text: 'x'.repeat(2000), at: '' })
  assert.ok(socket.isTerminated && socket.bufferedAmount < 1_100_000, `${socket.bufferedAmount} bytes wait`)
})

test('messages sent without a socket are delivered by the next one, up to a limit', () => {
  const [first, second] = [stuckSocket(), stuckSocket()]
  const end = websocketTransport(fakeMedia(), first as unknown as WebSocket)
  end.listen(noEvents)
  first.readyState = 3
  for (let i = 0; i < 1000; i++) end.sendMessage({ type: 'said', who: 'agent', text: `${i}`, at: '' })
  assert.equal(end.resume(second as unknown as WebSocket), true)
  assert.deepEqual(JSON.parse(second.sent[0] ?? ''), { type: 'resumed' })
  assert.deepEqual(
    second.sent.slice(1, 3).map((text) => JSON.parse(text).text),
    ['0', '1'],
  )
  assert.equal(second.sent.length, 101)
  assert.equal(first.isTerminated, true)
})

test('audio faster than real time is accepted for three seconds only', (t) => {
  t.mock.method(performance, 'now', () => 1000) // all at the same moment
  const socket = stuckSocket()
  const media = fakeMedia()
  websocketTransport(media, socket as unknown as WebSocket).listen(noEvents)
  for (let i = 0; i < 100; i++) socket.handlers.message?.(Buffer.alloc(32_000), true)
  assert.equal(media.samples, 48_000)
})

test('a call whose worker died before anybody listened is told so', () => {
  const media = fakeMedia()
  const end = websocketTransport(media, stuckSocket() as unknown as WebSocket)
  media.events?.onEvent({ type: 'failed', problem: 'the media thread died' })
  const told: string[] = []
  end.listen({ ...noEvents, onMedia: ({ type }) => told.push(type) })
  assert.deepEqual(told, ['failed'])
})
