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
  await sends(3) // between two: it waits for the next
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
