// Roles: the platform always has an administrator.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/app.ts'
import { userStore } from './store.ts'

test('when all administrators are demoted or removed at once, one remains', async () => {
  const { database } = await startTestApp()
  const users = userStore(database.db)
  for (const name of ['b', 'c', 'd']) await users.create(name, null, 'admin')
  const admins = async () => (await users.list()).filter(({ role }) => role === 'admin')
  const all = await admins()
  assert.equal(all.length, 4)
  const results = await Promise.allSettled(
    all.map(({ id }, i) => (i % 2 ? users.remove(id) : users.setRole(id, 'member'))),
  )
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 1)
  const [left, ...more] = await admins()
  assert.ok(left && more.length === 0)
  await assert.rejects(users.setRole(left.id, 'member'), /only administrator/)
  await assert.rejects(users.setRole('usr_nobody', 'member'), /User not found/)
  await users.setRole(left.id, 'admin')
  const member = await users.create('e')
  await users.remove(member.id)
})
