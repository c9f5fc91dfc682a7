import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newBranch, newCallId, newRequest, newTag, reasonPhrase, responseTo } from './build.ts'
import { tagOf } from './values.ts'

const invite = (to = '<sip:a@b>') => {
  const request = newRequest({
    method: 'INVITE',
    uri: 'sip:a@b',
    from: '<sip:c@d>;tag=1',
    to,
    callId: 'x',
    cseq: 7,
    routes: ['<sip:p1;lr>', '<sip:p2;lr>'],
    headers: { Subject: 'hello' },
    body: { type: 'application/sdp', content: 'v=0\r\n' },
  })
  request.headers.prepend('via', 'SIP/2.0/UDP two').prepend('via', 'SIP/2.0/UDP one')
  request.headers.add('record-route', '<sip:p1;lr>', '<sip:p2;lr>').add('timestamp', '54')
  return request
}

test('a request has what every request must have, and no Via yet', () => {
  const request = newRequest({
    method: 'BYE',
    uri: 'sip:a@b',
    from: 'F',
    to: 'T',
    callId: 'C',
    cseq: 2,
    maxForwards: 9,
  })
  assert.deepEqual(
    [...request.headers],
    [
      ['max-forwards', '9'],
      ['from', 'F'],
      ['to', 'T'],
      ['call-id', 'C'],
      ['cseq', '2 BYE'],
    ],
  )
  assert.equal(request.body.length, 0)
  assert.deepEqual(invite().headers.all('route'), ['<sip:p1;lr>', '<sip:p2;lr>'])
  assert.equal(invite().headers.get('subject'), 'hello')
  assert.equal(invite().headers.get('content-type'), 'application/sdp')
  assert.equal(invite().body.toString(), 'v=0\r\n')
})

test('a response says back who asked, by which way, and what', () => {
  const response = responseTo(invite(), 180, undefined, { toTag: 'mine' })
  assert.equal(response.reason, 'Ringing')
  assert.deepEqual(response.headers.all('via'), ['SIP/2.0/UDP one', 'SIP/2.0/UDP two'])
  assert.deepEqual(response.headers.all('record-route'), ['<sip:p1;lr>', '<sip:p2;lr>'])
  assert.equal(response.headers.get('from'), '<sip:c@d>;tag=1')
  assert.equal(response.headers.get('to'), '<sip:a@b>;tag=mine')
  assert.equal(response.headers.get('call-id'), 'x')
  assert.equal(response.headers.get('cseq'), '7 INVITE')
  assert.equal(response.headers.has('subject'), false)
})

test('a 100 has no tag and no route, but the timestamp', () => {
  const response = responseTo(invite(), 100)
  assert.equal(response.headers.get('to'), '<sip:a@b>')
  assert.equal(response.headers.has('record-route'), false)
  assert.equal(response.headers.get('timestamp'), '54')
})

test('a refusal has a tag and no route', () => {
  const response = responseTo(invite(), 486, 'Engaged', {
    headers: [
      ['retry-after', '5'],
      ['warning', 'a'],
      ['warning', 'b'],
    ],
  })
  assert.equal(response.reason, 'Engaged')
  assert.match(tagOf(response.headers.get('to') ?? '') ?? '', /^[0-9a-f]{16}$/)
  assert.equal(response.headers.has('record-route'), false)
  assert.deepEqual(response.headers.all('warning'), ['a', 'b'])
})

test('a tag that is there stays', () => {
  const response = responseTo(invite('sip:a@b;tag=theirs'), 200, undefined, {
    toTag: 'mine',
    headers: { contact: '<sip:me>' },
    body: { type: 'text/plain', content: Buffer.from('x') },
  })
  assert.equal(response.headers.get('to'), 'sip:a@b;tag=theirs')
  assert.equal(response.headers.get('content-type'), 'text/plain')
  assert.equal(response.body.toString(), 'x')
})

test('random names do not come twice', () => {
  for (const make of [newTag, newCallId, newBranch])
    assert.equal(new Set(Array.from({ length: 5000 }, make)).size, 5000)
  assert.match(newBranch(), /^z9hG4bK[0-9a-f]{32}$/)
})

test('every status has words', () => {
  assert.equal(reasonPhrase(491), 'Request Pending')
  assert.equal(reasonPhrase(499), 'Client Error')
  assert.equal(reasonPhrase(699), 'Global Failure')
  assert.equal(reasonPhrase(999), 'Unknown')
})
