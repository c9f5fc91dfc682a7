// Actions on a user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../../../client/paths.ts'
import { actionsOn, patchOf, userActions } from './user-actions.ts'

const user: User = {
  id: 'usr_a',
  name: 'Ana',
  email: 'ana@example.com',
  role: 'member',
  isActive: true,
  hasPassword: true,
  hasSecondFactor: false,
  lastSignInAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
}

test('an administrator has no actions on themself, and only enabling on a disabled user', () => {
  assert.deepEqual(actionsOn(user, 'usr_a'), [])
  assert.deepEqual(actionsOn({ ...user, isActive: false }, 'usr_b'), ['enable'])
})

test('the actions follow the role, the e-mail and the second factor', () => {
  assert.deepEqual(actionsOn(user, 'usr_b'), ['makeAdmin', 'passwordLink', 'disable'])
  const admin: User = { ...user, role: 'admin', email: null, hasSecondFactor: true }
  assert.deepEqual(actionsOn(admin, 'usr_b'), ['makeMember', 'removeFactor', 'disable'])
})

test('changes of role and state are one request; the others have their own', () => {
  assert.deepEqual(userActions.map(patchOf), [
    { role: 'admin' },
    { role: 'member' },
    { isActive: true },
    { isActive: false },
    null,
    null,
  ])
})
