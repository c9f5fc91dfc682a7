// A media leg connected to an RTP peer, for tests that send and receive audio.
import type { LegEvent, LegOptions, LegSettings, Media, MediaLeg } from '../src/rtp/leg.ts'
import { openMedia } from '../src/rtp/pool.ts'
import type { AudioFrame } from '../src/voice/ports.ts'
import { openPeer, pcmuTo, purityOfParts, type RtpPeer } from './rtp-peer.ts'
import { until } from './until.ts'

/** Random ports, skipping those that other tests hold. */
/** With several workers, legs are assigned to them in rotation. */
export const testMedia = (workers = 1): Promise<Media> =>
  openMedia({ host: '127.0.0.1', ports: { from: 20_000, to: 29_999 }, workers, legsPerThread: 1 })

export type Line = { leg: MediaLeg; peer: RtpPeer; events: LegEvent[] } & AsyncDisposable

/** PCMU between a leg and a peer, closed when the test leaves the block. */
export async function lineOf(
  media: Media,
  settings: Partial<LegSettings> = {},
  options: LegOptions = {},
): Promise<Line> {
  const events: LegEvent[] = []
  const leg = await media.open({ ...options, onEvent: (event) => events.push(event) })
  const peer = await openPeer()
  leg.configure(pcmuTo(peer.port, settings))
  return {
    leg,
    peer,
    events,
    async [Symbol.asyncDispose]() {
      await leg.close()
      peer.close()
    },
  }
}

/** A signal that never fires. */
export const never = new AbortController().signal

export async function* clip(pcm: Int16Array, rateHz = 8000): AsyncGenerator<AudioFrame> {
  yield { pcm, rateHz }
}

/** The PCMU packets that contain sound. */
export const loud = (peer: RtpPeer) =>
  peer.got.filter(({ type, payload }) => type === 0 && payload.some((byte) => (byte & 0x7f) < 0x60))

/** The next digits; fewer if the leg ends first. */
export async function takeDigits(leg: MediaLeg, count: number): Promise<string> {
  let all = ''
  for await (const digit of leg.digits) {
    all += digit
    if (all.length === count) break
  }
  return all
}

/** The audio of the next frames, joined. */
export async function listen(leg: MediaLeg, ms: number): Promise<Int16Array> {
  const all: number[] = []
  for await (const { pcm, rateHz } of leg.input) {
    all.push(...pcm)
    if (all.length >= (ms * rateHz) / 1000) break
  }
  return Int16Array.from(all)
}

/** Waits until this tone dominates most of 400 ms: a busy machine leaves gaps. */
export const hears = (leg: MediaLeg, hz: number): Promise<true> =>
  until(`${hz} Hz`, async () => purityOfParts(await listen(leg, 400), hz) > 0.9)
