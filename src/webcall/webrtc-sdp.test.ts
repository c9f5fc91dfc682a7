// Codec selection from an SDP offer, and the public address in the answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecIn, withPublicCandidates } from './webrtc-sdp.ts'

const answer = [
  'v=0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=candidate:abc 1 udp 2116026367 10.0.0.5 40000 typ host generation 0',
  'a=candidate:def 1 udp 2116026367 fd00::2 40001 typ host generation 0',
  'a=candidate:ghi 1 udp 1679819007 198.51.100.1 40000 typ srflx raddr 10.0.0.5 rport 40000',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=candidate:abc 1 udp 2116026367 10.0.0.5 40000 typ host generation 0',
  '',
].join('\r\n')

test('without a public address the answer is unchanged', async () => {
  assert.equal(await withPublicCandidates(answer, { publicAddress: null }), answer)
})

test('behind NAT each host candidate is repeated with the public address, at lower priority', async () => {
  const lines = (await withPublicCandidates(answer, { publicAddress: '203.0.113.9' })).split('\r\n')
  const added = lines.filter((line) => line.includes('203.0.113.9'))
  assert.equal(added.length, 2)
  for (const line of added)
    assert.equal(line, 'a=candidate:abcp 1 udp 2116026366 203.0.113.9 40000 typ host generation 0')
  assert.equal(lines.length, answer.split('\r\n').length + 2)
  assert.equal(lines.indexOf(added[0] ?? ''), 3)
})

test('Opus where both support it, else PCMU, also by static payload type', () => {
  const opus = 'm=audio 9 UDP/TLS/RTP/SAVPF 111 0\r\na=rtpmap:111 opus/48000/2\r\na=rtpmap:0 PCMU/8000\r\n'
  assert.equal(codecIn(opus, true), 'opus')
  assert.equal(codecIn(opus, false), 'PCMU')
  assert.equal(codecIn('m=audio 9 UDP/TLS/RTP/SAVPF 0\r\n', true), 'PCMU')
  assert.throws(() => codecIn('m=audio 9 UDP/TLS/RTP/SAVPF 18\r\n', true), /Opus or PCMU/)
})
