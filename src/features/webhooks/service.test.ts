// Closing the webhook service: the outcome of each delivery is stored before the database may be closed.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, testConfig } from '../../../test/app.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { createLog } from '../../base/process/log.ts'
import { openDatabase } from '../../db/database.ts'
import { eventWriter } from '../../db/outbox.ts'
import { eventService } from '../events/service.ts'
import { userStore } from '../users/store.ts'
import { webhookService } from './service.ts'
import { webhookStore } from './store.ts'

const database = await openDatabase((await testConfig({}, { isMigrated: true })).database, () => {})
atEnd(() => database.close())
const { db } = database

test('a delivery that is answered while the service closes is stored as delivered: the next process does not send it again', async () => {
  const secrets = keyRing(['x'.repeat(32)])
  const { id: userId } = await userStore(db).create('ana')
  const { id } = await webhookStore(db, secrets).create(userId, { url: 'https://hooks.example/' })
  await db.inTransaction((trx) => eventWriter(db)(trx, { userId, type: 'suppression.created', data: {} }))
  const answer = Promise.withResolvers<Response>()
  const http = { fetch: () => answer.promise, refusalFor: () => null }
  const service = webhookService({ db, secrets, http, log: createLog('silent'), eventOf: eventService(db).eventOf })
  for (const { task } of service.jobs) await task()
  const closed = service[Symbol.asyncDispose]()
  answer.resolve(new Response('ok'))
  await closed
  const deliveries = db.selectFrom('webhookDeliveries').select(['status', 'attempts']).where('webhookId', '=', id)
  assert.deepEqual(await deliveries.execute(), [{ status: 'delivered', attempts: 1 }])
})
