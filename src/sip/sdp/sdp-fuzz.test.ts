// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { answerOffer, type LocalMedia, makeOffer, readAnswer } from './offer-answer.ts'
import { privateAddressIn } from './sdp-parse.ts'

const local: LocalMedia = {
  address: '192.0.2.1',
  port: 10_000,
  codecs: ['PCMU', 'PCMA', 'G722', 'opus'],
  encryption: 'allowed',
  sessionId: '77',
  version: 1,
}
const videoToo = `v=0
o=bob 1 1 IN IP4 198.51.100.7
s=-
c=IN IP4 198.51.100.7
t=0 0
m=audio 4000 RTP/AVP 0 8 101
a=rtpmap:101 telephone-event/8000
a=ptime:20
m=video 0 RTP/AVP 99
`

/** Texts close to real ones: characters and lines dropped, doubled, swapped, replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(makeOffer({ ...local, encryption: 'required' }).sdp, makeOffer(local).sdp, videoToo),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(5), fc.string({ maxLength: 6 })), {
      maxLength: 6,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((now, [place, cut, added]) => {
      const at = Math.floor(place * now.length)
      return now.slice(0, at) + added + now.slice(at + cut)
    }, text),
  )

const sections = (text: string) => text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('m=')).length

const anyText = fc.oneof(
  { weight: 8, arbitrary: mutated },
  fc.string({ maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
)

test('no text makes offer and answer throw, and what is answered can be read again', () => {
  const offer = makeOffer({ ...local, encryption: 'required' })
  let taken = 0
  fc.assert(
    fc.property(anyText, (text) => {
      readAnswer(offer, text)
      privateAddressIn(text)
      const made = answerOffer(text, local)
      if ('problem' in made) return
      taken++
      assert.ok(made.agreed.payloadType <= 127 && made.agreed.remote.port > 0 && made.agreed.remote.port < 65_536)
      assert.match(made.sdp, /^(?:[a-z]=[^\r\n]*\r\n)+$/)
      assert.equal(sections(made.sdp), sections(text))
      const again = answerOffer(made.sdp, { ...local, before: made })
      assert.ok('sdp' in again, made.sdp)
      makeOffer({ ...local, before: made })
    }),
    { numRuns: 4000 },
  )
  assert.ok(taken > 300, `only ${taken} of the texts were offers that could be taken`)
})

// Their cost is measured by test/pattern-cost.test.ts.
test('hostile lines are read, and do not spoil the answer', () => {
  const long = `${videoToo}a=imageattr:* send ${'[x]'.repeat(5000)}\na=ptime:${'1.'.repeat(5000)}`
  assert.ok('sdp' in answerOffer(long, local))
})
