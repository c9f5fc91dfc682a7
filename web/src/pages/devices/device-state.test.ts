// Device state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canLink, minutesAndSeconds, nameOf, secondsUntil, shownStatus, withStatus } from './device-state.ts'

test('a device shows its name, else its short id', () => {
  assert.equal(nameOf({ name: 'Front desk', displayName: 'x', deviceId: 'dev-1' }), 'Front desk')
  assert.equal(nameOf({ name: '', displayName: null, deviceId: 'dev-1' }), 'dev-1')
})

test('the QR code is offered only for devices that can be linked', () => {
  assert.ok(canLink({ driver: 'embedded', status: 'waiting_qr' }))
  assert.ok(canLink({ driver: 'embedded', status: 'connected' }), 'another phone may take its place')
  assert.ok(!canLink({ driver: 'whatsapp', status: 'connected' }))
  assert.ok(!canLink({ driver: 'remote', status: 'connected' }))
  assert.ok(!canLink({ driver: 'embedded', status: 'disabled' }))
})

test('only devices that need a QR code are said to wait for one', () => {
  assert.equal(shownStatus({ driver: 'embedded', status: 'waiting_qr' }), 'waiting_phone')
  assert.equal(shownStatus({ driver: 'remote', status: 'waiting_qr' }), 'waiting_qr')
  assert.equal(shownStatus({ driver: 'embedded', status: 'connected' }), 'connected')
})

test('the QR code expiry counts down to zero', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(secondsUntil('2026-01-01T00:01:05Z', now), 65)
  assert.equal(secondsUntil('2026-01-01T00:00:00.200Z', now), 1)
  assert.equal(secondsUntil('2025-12-31T23:59:59Z', now), 0)
  assert.equal(secondsUntil(null, now), null)
  assert.equal(minutesAndSeconds(65), '1:05')
})

test('a status event changes only its own fields', () => {
  const device = { id: 'd', status: 'waiting_qr' as const, connected: false, phone: null, lastError: null }
  const event = { status: 'connected' as const, connected: true, phone: '+5511', lastError: null, at: 'x' }
  assert.deepEqual(withStatus(device, event), { ...device, status: 'connected', connected: true, phone: '+5511' })
})
