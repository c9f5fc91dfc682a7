// The organization of a tab.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Session } from './session.tsx'

const [clinic, shop] = [
  { id: 'org_clinic', name: 'Clinic', role: 'owner', permissions: ['agents:read'] },
  { id: 'org_shop', name: 'Shop', role: 'viewer', permissions: [] },
] as const
const sessionOf = (organizations: Session['organizations'], organizationId: string | null): Session => ({
  needsSetup: false,
  needsSetupCode: false,
  csrfToken: 'x',
  user: { id: 'usr_ana', name: 'Ana', email: null, role: 'member' },
  organizations,
  organizationId,
})

let module: typeof import('./organization.ts')
let stored: Map<string, string>
let tabs = 0
const openTab = async () => {
  module = await import(`./organization.ts?tab=${tabs++}`)
}
beforeEach(async () => {
  stored = new Map()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (k: string, v: string) => stored.set(k, v),
  }
  Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true })
  await openTab()
})
const current = () => module.organizationHeader()['x-organization']

test('a tab begins with the organization that the person used last, and keeps its own from then on', async () => {
  module.setMemberships(sessionOf([clinic, shop], shop.id))
  assert.equal(current(), shop.id)
  module.setMemberships(sessionOf([clinic, shop], clinic.id))
  assert.equal(current(), shop.id, 'another tab changed its own')
  await openTab()
  module.setMemberships(sessionOf([clinic, shop], clinic.id))
  assert.equal(current(), shop.id, 'after a reload')
})

test('a person who is removed gets another organization, and hears which one is gone', () => {
  const lost: string[] = []
  const drops: (string | undefined)[] = []
  module.onOrganizationLoss((name) => lost.push(name))
  module.setMemberships(sessionOf([clinic, shop], shop.id))
  module.beforeOrganizationChange(() => drops.push(current()))
  module.setMemberships(sessionOf([clinic], clinic.id))
  assert.deepEqual([current(), lost, drops], [clinic.id, ['Shop'], [shop.id]])
  module.setMemberships(sessionOf([], null))
  assert.deepEqual([current(), lost], [undefined, ['Shop', 'Clinic']])
})

test('the organization stays while the session has ended and the person signs in again', () => {
  module.setMemberships(sessionOf([clinic, shop], shop.id))
  module.setMemberships({ ...sessionOf([], null), user: null })
  assert.equal(current(), shop.id)
})

test('only an organization of the person is chosen, and addresses name it', () => {
  module.setMemberships(sessionOf([clinic, shop], shop.id))
  assert.equal(module.chooseOrganization('org_other'), false)
  assert.equal(module.chooseOrganization(clinic.id), true)
  assert.equal(module.withOrganization('/api/events'), '/api/events?organization=org_clinic')
  assert.equal(module.withOrganization('/api/x?format=csv'), '/api/x?format=csv&organization=org_clinic')
})
