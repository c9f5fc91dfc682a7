// Limits of the address ranges that a trunk may claim.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp, testApp } from '../../../test/app.ts'

const trunk = (entry: string) => ({ name: 'x', host: 'carrier.example', authMode: 'ip', allowedAddresses: [entry] })

test('an account may not claim a range wider than /24 or /48, or an address that is not unicast', async () => {
  const { ana } = await testApp()
  const { json } = await ana.post('/api/trunks', trunk('198.51.100.0/24'))
  const wide = ['0.0.0.0/0', '96.0.0.0/3', '10.0.0.0/23', '10.0.0.0/8:5060', '::/0', '2001:db8::/47', '::ffff:0:0/96']
  for (const entry of [...wide, '224.0.0.1', '0.0.0.0', '255.255.255.255', '198.51.100.0/33', 'ff02::1', '::/64']) {
    assertError(await ana.post('/api/trunks', trunk(entry)), 400, /^allowedAddresses: /)
    assertError(await ana.patch(`/api/trunks/${json.id}`, { allowedAddresses: ['198.51.100.7', entry] }), 400)
  }
  for (const entry of ['198.51.100.7', '198.51.100.0/28', '2001:db8::/48', '[2001:db8::1]:5060', 'gw.carrier.example'])
    assert.equal((await ana.post('/api/trunks', trunk(entry))).status, 201, entry)
})

test('the operator may allow a wider range', async () => {
  const { ana } = await startTestApp({ SIP_NETWORKS: '10.0.0.0/8' })
  assert.equal((await ana.post('/api/trunks', trunk('10.20.0.0/16'))).status, 201)
  assertError(await ana.post('/api/trunks', trunk('10.0.0.0/7')), 400)
  assertError(await ana.post('/api/trunks', trunk('11.0.0.0/16')), 400)
})
