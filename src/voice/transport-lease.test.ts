import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as breathe } from 'node:timers/promises'
import type { CallAction, Transport } from './ports.ts'
import { leaseTransport } from './transport-lease.ts'

function line() {
  const frames: number[] = []
  let wake = () => {}
  let isOver = false
  const acts: CallAction[] = []
  const holds: boolean[] = []
  async function* input() {
    for (;;) {
      const frame = frames.shift()
      if (frame !== undefined) yield { pcm: Int16Array.of(frame), rateHz: 8000 }
      else if (isOver) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  const transport: Transport = {
    input: input(),
    digits: (async function* () {})(),
    play: async () => ({ playedMs: 7 }),
    hold: (isHeld) => void holds.push(isHeld),
    async act(action) {
      acts.push(action)
      return { status: 'done' }
    },
  }
  return {
    lease: leaseTransport(transport),
    acts,
    holds,
    async sends(...more: number[]) {
      frames.push(...more)
      wake()
      await breathe()
    },
    async leaves() {
      isOver = true
      wake()
      await breathe()
    },
  }
}

async function hear({ input }: Transport, into: number[]): Promise<void> {
  for await (const { pcm } of input) into.push(pcm[0] as number)
}

test('each session continues where the one before stopped, without loss or repetition', async () => {
  const { lease, sends, leaves } = line()
  const heard: number[][] = [[], [], []]
  const first = lease()
  const one = hear(first.transport, heard[0] as number[])
  await sends(1, 2)
  first.release()
  await one
  await sends(3) // between two leases: it is kept for the next
  const second = lease()
  const two = hear(second.transport, heard[1] as number[])
  await sends(4, 5)
  second.release()
  await two
  const third = lease()
  const three = hear(third.transport, heard[2] as number[])
  await sends(6)
  await leaves()
  await three
  assert.deepEqual(heard, [[1, 2], [3, 4, 5], [6]])
})

test('a released lease gets no audio, and actions go to the shared transport', async () => {
  const { lease, sends, acts, leaves } = line()
  const { transport, release } = lease()
  assert.deepEqual(await transport.act({ do: 'hangup', reason: 'agent_ended' }), { status: 'done' })
  assert.deepEqual(acts, [{ do: 'hangup', reason: 'agent_ended' }])
  assert.deepEqual(await transport.play((async function* () {})(), new AbortController().signal), { playedMs: 7 })
  release()
  await sends(1)
  const heard: number[] = []
  await hear(transport, heard)
  assert.deepEqual(heard, [])
  await leaves()
})

test('a session that leaves playout held does not silence the next one', () => {
  const { lease, holds } = line()
  const { transport, release } = lease()
  transport.hold?.(true)
  release()
  assert.deepEqual(holds, [true, false])
})

test('a session that listens in place stops when its lease is released', () => {
  const log: string[] = []
  let sessions = 0
  const nothing = (async function* () {})()
  const lease = leaseTransport({
    input: nothing,
    listen() {
      const number = ++sessions
      log.push(`listens ${number}`)
      const stop = () => void log.push(`stops ${number}`)
      return { ended: Promise.resolve(), release: () => {}, stopTime: () => {}, stop }
    },
    digits: (async function* () {})(),
    play: async () => ({ playedMs: 0 }),
    act: async () => ({ status: 'done' }),
  })
  const vad = { open: () => assert.fail('not opened here') }
  const sink = { onAudio: () => {}, onEvent: () => {} }
  for (let i = 0; i < 2; i++) {
    const { transport, release } = lease()
    transport.listen?.({ vad, keepMs: 0, needsSilence: false, hasAmd: false }, sink)
    release()
  }
  assert.deepEqual(log, ['listens 1', 'stops 1', 'listens 2', 'stops 2'])
})
