// Whether audio arrived complete, told apart from a phone that sent or played it late.
import assert from 'node:assert/strict'
import { gapsOf, jumpsOf, levelsOf, listen, type Sound } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import type { MediaTime } from './media-time.ts'

/** How each phone reports what it received. */
type Counting = { kind: 'baresip'; heard(): string } | { kind: 'linphone'; lost(): number | undefined }

/** Waits until the platform's clock has run for this long. */
export async function runs(time: MediaTime, forMs: number): Promise<void> {
  const endMs = time.ms() + forMs
  await until(`${forMs} ms of media`, () => time.ms() >= endMs)
}

/**
 * Asserts that the phone was sent the whole tone. baresip without a jitter buffer keeps each packet as it came, however
 * late, so a silence or a phase jump is the sender's fault. Linphone conceals late packets, and reports those that
 * never came when its audio stops.
 */
export async function gotAll(phone: Counting, hz: number, time: MediaTime): Promise<void> {
  if (phone.kind === 'linphone') {
    assert.equal(await until('linphone has counted its packets', phone.lost), 0, 'packets were lost')
    return
  }
  const heard = listen(phone.heard())
  assert.deepEqual(gapsOf(heard, 40 + time.stalledMs()), [], 'the tone has no gaps')
  assert.deepEqual(jumpsOf(heard, hz), [], 'nothing of the tone is missing')
}

/** Asserts that the phone's audio is played as it came. A late packet causes a phase jump, but never one per packet. */
export function isSmooth(sound: Sound, hz: number): void {
  const [jumps, frames] = [jumpsOf(sound, hz).length, levelsOf(sound, hz).length]
  assert.ok(jumps < frames / 2, `${jumps} jumps in ${frames} frames`)
}
