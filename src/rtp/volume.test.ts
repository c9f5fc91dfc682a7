// Playout volume, as the far end of a call hears it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clip, lineOf, loud, never, testMedia } from '../../test/rtp-call.ts'
import { tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import { decodeUlaw } from '../audio/g711.ts'
import type { Media } from './leg.ts'

let media: Media
before(async () => {
  media = await testMedia()
})
after(() => media.close())

const peakOf = (payload: Uint8Array) => Math.max(...decodeUlaw(payload).map(Math.abs))

test('the volume goes down and up again at once, without a click', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  const playing = leg.play(clip(tone(1000, 4000)), never)
  await until('the play', () => loud(peer).length >= 5)
  leg.volume(0.25)
  await until('some of it quietly', () => loud(peer).length >= 25)
  leg.volume(1)
  await playing
  await until('all of it', () => loud(peer).length >= 200)
  const peaks = loud(peer).map(({ payload }) => peakOf(payload))
  const full = peaks[0] as number
  const quiet = peaks.filter((peak) => Math.abs(peak / full - 0.25) < 0.05).length
  const between = peaks.filter((peak) => peak / full > 0.3 && peak / full < 0.97).length
  assert.ok(quiet >= 15 && quiet <= 180, `${quiet} packets were quiet`)
  assert.ok(between <= 2, 'one packet on the way down, one on the way up')
  assert.ok(Math.abs((peaks.at(-1) as number) / full - 1) < 0.05, 'loud again at the end')
})
