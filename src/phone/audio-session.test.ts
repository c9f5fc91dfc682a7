import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadOpus } from '../audio/opus.ts'
import type { LegSettings, MediaLeg } from '../rtp/leg.ts'
import { audioSession, audioTerms } from './audio-session.ts'

/** The parts of a leg that offer and answer use. */
function aLeg() {
  const configured: LegSettings[] = []
  const leg = { port: 40_000, configure: (settings: LegSettings) => void configured.push(settings) }
  return { configured, leg: leg as unknown as MediaLeg }
}
const offers = (payload: string) =>
  `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40002 RTP/AVP ${payload}\r\n`
const opusAndPcmu = `${offers('111 0')}a=rtpmap:111 opus/48000/2\r\na=rtpmap:0 PCMU/8000\r\n`

test('Opus is offered and accepted only where its package is installed', async () => {
  const { leg, configured } = aLeg()
  const without = audioSession(
    leg,
    audioTerms(null, '127.0.0.1'),
    () => null,
    (codec) => codec !== 'opus',
  )
  assert.doesNotMatch(without.offer(), /opus/)
  assert.ok('sdp' in without.answer(opusAndPcmu))
  assert.equal(configured[0]?.codec, 'PCMU')

  assert.ok(await loadOpus())
  const withIt = audioSession(leg, audioTerms(null, '127.0.0.1'), () => null)
  assert.match(withIt.offer(), /opus/)
  assert.ok('sdp' in withIt.answer(opusAndPcmu))
  assert.equal(configured[1]?.codec, 'opus')
})

test('a failed re-INVITE negotiation changes nothing', () => {
  const { leg, configured } = aLeg()
  const session = audioSession(leg, audioTerms(null, '127.0.0.1'), () => null)
  session.answer(offers('0'))
  assert.deepEqual(session.reoffered(`${offers('97')}a=rtpmap:97 speex/8000\r\n`), {
    refuse: 488,
    reason: 'Not Acceptable Here',
  })
  assert.equal(configured.length, 1)
  assert.equal(session.agreed?.codec, 'PCMU')
})
