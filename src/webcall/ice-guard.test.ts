// Which ICE candidates of an offer are tried, depending on the offer's source address.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { addressGuard } from '../base/network/cidr.ts'
import { filterCandidates } from './ice-guard.ts'

const HIDDEN = '0b2f4f0e-5d1c-4f7a-9a51-3d8f1f0c2b11.local'
const offerOf = (...addresses: string[]) =>
  [
    'v=0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    ...addresses.map((address, i) => `a=candidate:${i} 1 udp 2113937151 ${address} ${5000 + i} typ host generation 0`),
    'a=ice-ufrag:abcd',
    '',
  ].join('\r\n')
const triedBy = (peerAddress: string, addresses: readonly string[], allowed: string[] = []) =>
  filterCandidates(offerOf(...addresses), { peerAddress, mayReach: addressGuard(allowed).mayReach })
    .split('\r\n')
    .flatMap((line) => (line.startsWith('a=candidate:') ? [line.split(' ')[4]] : []))

const lan = ['192.168.1.20', '192.168.7.1', '10.0.0.5', '172.16.3.4', '127.0.0.1', '169.254.169.254', 'fd00::1', '::1']

test('for a browser on the internet, only public candidates and mDNS names are tried', () => {
  const offered = [...lan, '8.8.8.8', '2a00:1450:4001::1', HIDDEN, 'printer.local', 'db.internal']
  assert.deepEqual(triedBy('198.41.0.4', offered), ['8.8.8.8', '2a00:1450:4001::1', HIDDEN])
})

test('for a browser in a private network, candidates of that network are tried', () => {
  assert.deepEqual(triedBy('192.168.1.20', lan), ['192.168.1.20', '192.168.7.1'])
  assert.deepEqual(triedBy('::ffff:10.1.2.3', lan), ['10.0.0.5'])
  assert.deepEqual(triedBy('fd00::9', lan), ['fd00::1'])
})

test('for a browser on this machine, loopback and local candidates are tried', () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  assert.deepEqual(triedBy('127.0.0.1', own), own)
  assert.deepEqual(triedBy('198.41.0.4', own), [], 'and nobody else has')
})

test('candidates that the operator allows are tried, at most twenty per section', () => {
  assert.deepEqual(triedBy('198.41.0.4', lan, ['172.16.0.0/12']), ['172.16.3.4'])
  const many = Array.from({ length: 100 }, (_, i) => `8.8.4.${i}`)
  assert.equal(triedBy('198.41.0.4', many).length, 20)
})

test('the rest of the offer is unchanged', () => {
  const offer = offerOf('8.8.8.8')
  assert.equal(filterCandidates(offer, { peerAddress: '8.8.8.8', mayReach: () => true }), offer)
  assert.equal(filterCandidates(offerOf('10.0.0.1'), { peerAddress: '8.8.8.8', mayReach: () => false }), offerOf())
})
