import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openRemote } from '../../../../test/remote-driver.ts'
import { until } from '../../../../test/until.ts'
import { contractFile, readContract } from '../../../../test/vendors/gateway-contract.ts'
import { startGatewayService } from '../../../../test/vendors/gateway-service.ts'
import { readDevice, readEvent, readSip } from './responses.ts'

type Schema = { properties?: Record<string, unknown>; required?: string[] }

test('the contract is OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(contractFile)
  assert.ok(valid, JSON.stringify(errors))
  assert.equal(validator.version, '3.1')
})

test('the driver uses every operation of it, and no other', async (t) => {
  const contract = await readContract()
  const service = await startGatewayService()
  t.after(service.stop)
  const { driver, signal, made } = openRemote(t, service.url)
  driver.start()
  const device = await made()
  await driver.look({ ...device, externalId: null }, signal)
  await driver.link(device, signal)
  service.link(device.externalId, '+5511987654321')
  await driver.trunk(device, signal)
  await driver.sendText(device, '+5521999990000', 'x', 'k', signal)
  service.endSessions()
  await driver.unlink?.(device, signal)
  await driver.remove(device, signal)
  const used = () => service.asked.map((asked) => contract.nameOf({ ...asked, body: undefined }))
  await until('events are polled', () => used().includes('getEvents'))
  await driver.close()
  assert.deepEqual([...new Set(used())].sort(), [...contract.operationIds].sort())
  assert.deepEqual(service.violations, [])
})

test('the least that the contract asks for is enough for the driver', async () => {
  const { contract } = await readContract()
  const schemas = (contract as unknown as { components: { schemas: Record<string, Schema> } }).components.schemas
  const device = { id: 'd1', reference: 'r', status: 'waiting_qr' }
  assert.deepEqual(Object.keys(device), schemas.Device?.required)
  assert.ok(readDevice(device))
  const sip = { host: 'sip.example.com', username: 'u', password: 'p' }
  assert.deepEqual(Object.keys(sip), schemas.Sip?.required)
  assert.ok(readSip(sip))
  const event = { id: 'e1', type: 'status', at: '2026-01-01T00:00:00Z', deviceId: 'd1' }
  assert.deepEqual(Object.keys(event), schemas.Event?.required)
  assert.ok(readEvent(event))
})

test('and so is the most', () => {
  const all = { token: 't', phone: null, displayName: null, error: null, more: 1 }
  assert.ok(readDevice({ id: 'd1', reference: 'r', status: 'error', ...all }))
  const way = { port: null, transport: 'tls', realm: null, codecs: ['G722', 'opus'], mediaEncryption: 'allowed' }
  assert.ok(readSip({ host: '2001:db8::1', username: 'u', password: 'p', ...way, sessionTimers: true, addresses: [] }))
  assert.equal(readSip({ host: 'a b', username: 'u', password: 'p' }), undefined)
  assert.equal(readDevice({ id: '../x', reference: 'r', status: 'error' }), undefined)
})
