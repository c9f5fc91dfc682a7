// Whether audio came whole, told apart from a phone that was late to send it or to play it.
import assert from 'node:assert/strict'
import { gapsOf, jumpsOf, levelsOf, listen, type Sound } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import type { MediaTime } from './media-time.ts'

/** How each phone says what came. */
type Counting = { kind: 'baresip'; heard(): string } | { kind: 'linphone'; lost(): number | undefined }

/** The platform's clock runs on for this long. */
export async function runs(time: MediaTime, forMs: number): Promise<void> {
  const endMs = time.ms() + forMs
  await until(`${forMs} ms of media`, () => time.ms() >= endMs)
}

/**
 * The phone was sent the whole tone. baresip without a jitter buffer keeps each packet as it came, whenever that was: a silence or a
 * jump of the phase is the sender's. Linphone makes up for late packets, and counts those that never came when its audio stops.
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

/** What the phone sent is played as it came. Where the phone was late there is a jump, but never at every packet. */
export function isSmooth(sound: Sound, hz: number): void {
  const [jumps, frames] = [jumpsOf(sound, hz).length, levelsOf(sound, hz).length]
  assert.ok(jumps < frames / 2, `${jumps} jumps in ${frames} frames`)
}
