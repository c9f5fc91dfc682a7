import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../../config/env-reader.ts'
import { readConfig } from '../../config/load.ts'
import { addressGuard, isPortAllowed, literalAddress, parseCidr } from './cidr.ts'

const strict = addressGuard([])

test('public internet addresses are allowed', () => {
  for (const address of ['8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0'])
    assert.ok(strict.mayReach(address), address)
  for (const address of ['2606:4700::1111', '2a00:1450:4001:81b::200e', '::ffff:8.8.8.8', '64:ff9b::808:808'])
    assert.ok(strict.mayReach(address), address)
})

test('private and reserved IPv4 addresses are denied, also when embedded in IPv6', () => {
  const inner = [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.254',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
  ]
  for (const address of inner) {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
    const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
    const wrapped = [
      address,
      `::ffff:${address}`,
      `::ffff:${hex}`,
      `0:0:0:0:0:FFFF:${hex}`,
      `::ffff:0:${hex}`,
      `::${hex}`,
      `::${address}`,
      `64:ff9b::${hex}`,
      `2002:${hex}::1`,
      `2606:4700::5efe:${hex}`,
      `2606:4700::200:5efe:${hex}`,
    ]
    for (const one of wrapped) assert.equal(strict.mayReach(one), false, one)
  }
})

test('non-public IPv6 networks are denied', () => {
  const addresses = ['::', '::1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '100::1', '2001:db8::1']
  for (const address of [...addresses, '2001::1', '2001:1ff::1', '3fff::1', '64:ff9b:1::1', '4000::1', '5f00::1'])
    assert.equal(strict.mayReach(address), false, address)
})

test('anything but a plain address is denied: zones, names, empty strings', () => {
  for (const address of ['fe80::1%eth0', '2606:4700::1111%1', 'localhost', '', '127.1', '0x7f.1', '8.8.8.8.', '[::1]'])
    assert.equal(strict.mayReach(address), false, address)
})

test("the operator's networks are allowed, and nothing beside them", () => {
  const guard = addressGuard(['127.0.0.0/8', '10.1.0.0/16', 'fd00:1::/32', '192.168.7.7'])
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.255.1', 'fd00:1::9', '192.168.7.7', '8.8.8.8'])
    assert.ok(guard.mayReach(address), address)
  for (const address of ['10.0.255.255', '10.2.0.0', 'fd00:2::9', '192.168.7.8', '169.254.169.254', '::'])
    assert.equal(guard.mayReach(address), false, address)
  assert.ok(addressGuard(['0.0.0.0/0']).mayReach('10.0.0.1'))
})

test('a network is an address and a prefix length', () => {
  for (const good of ['10.0.0.0/8', '10.0.0.1', '::/0', 'fd00::/8', '0.0.0.0/0']) assert.ok(parseCidr(good), good)
  for (const bad of ['', '10.0.0.0/33', 'fd00::/129', '10.0.0/8', 'x/8', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1'])
    assert.equal(parseCidr(bad), null, bad)
})

test('every notation of an address in a URL is normalised to the address', () => {
  const notations = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0x7f.1',
    '127.1',
    '0177.0.0.1',
    '127.0.1',
  ]
  for (const host of [...notations, '127.0.0.1.', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1'])
    assert.equal(literalAddress(new URL(`http://${host}/`).hostname), '127.0.0.1', host)
  assert.equal(literalAddress(new URL('http://[::ffff:127.0.0.1]/').hostname), '::ffff:7f00:1')
  for (const name of ['localhost.', 'example.com', '127.0.0.1.nip.io'])
    assert.equal(literalAddress(new URL(`http://${name}/`).hostname), null)
  assert.equal(URL.canParse('http://[fe80::1%25eth0]/'), false)
})

test('mail, shell, DNS, SIP and database ports are denied', () => {
  for (const port of [0, 22, 23, 25, 53, 110, 445, 465, 587, 3306, 5060, 5432, 6379, 11211, 27017])
    assert.equal(isPortAllowed(port), false, `${port}`)
  for (const port of [80, 443, 3000, 8080, 8443, 5000]) assert.ok(isPortAllowed(port), `${port}`)
})

test('ALLOWED_NETWORKS is a list of networks, and the guard accepts every network that the settings accept', () => {
  const { allowedNetworks } = readConfig({ ALLOWED_NETWORKS: ' 127.0.0.0/8, fd00::/8 ,192.168.1.7,' })
  assert.deepEqual(allowedNetworks, ['127.0.0.0/8', 'fd00::/8', '192.168.1.7'])
  assert.ok(addressGuard(allowedNetworks).mayReach('192.168.1.7'))
  assert.deepEqual(readConfig({}).allowedNetworks, [])
  for (const bad of [
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/',
    'fd00::/129',
    '10/8',
    'fe80::1%eth0',
    '*',
    '10.0.0.0-10.0.0.9',
  ])
    assert.throws(() => readConfig({ ALLOWED_NETWORKS: `8.8.8.8,${bad}` }), ConfigError, bad)
})
