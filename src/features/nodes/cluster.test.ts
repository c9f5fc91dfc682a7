// Two nodes on one PostgreSQL: a fault in what a node does for another one ends that request or stream alone, and a link
// belongs to nobody.
// @run postgres
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newPostgresDatabase, usesPostgres } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { currentOwner, reportToOwner, runContained } from '../../base/errors/error-containment.ts'
import { createLog } from '../../base/process/log.ts'
import type { StreamEnd } from '../../cluster/link-stream.ts'
import { openDatabase } from '../../db/database.ts'
import { type ClusterParts, openCluster } from './cluster.ts'

type Listed = Awaited<ReturnType<ClusterParts['nodes']['find']>>

async function openNodes(t: TestContext) {
  const url = await newPostgresDatabase({ isMigrated: true })
  const { db, close } = await openDatabase({ kind: 'postgres', url }, () => {})
  t.after(close)
  const listed = new Map<string, Listed>()
  const open = async (name: string) => {
    const stack = new AsyncDisposableStack()
    t.after(() => stack.disposeAsync())
    const processId = `prc_${name}`
    const nodes = {
      processId,
      setAddress: async (address: string) => void listed.set(name, { processId, address }),
      find: async (other: string) => listed.get(other),
    }
    const config = {
      database: { kind: 'postgres', url },
      redisUrl: null,
      nodeLink: { host: '127.0.0.1', port: 0 },
    } as const
    const parts = { config, db, masterKeys: ['m'.repeat(32)], nodes, log: createLog('silent') }
    return (await openCluster(parts, stack)) ?? assert.fail('PostgreSQL has a cluster')
  }
  return { one: await open('one'), two: await open('two') }
}

/** What the handler of uncaught errors does with an error in this context. */
const faultLater = (isOwned: PromiseWithResolvers<boolean>) =>
  void setTimeout(() => isOwned.resolve(reportToOwner(new Error('planted'))))

if (usesPostgres)
  test('a fault in a request or stream of another node ends it alone; links belong to nobody', async (t) => {
    const { one, two } = await openNodes(t)
    const [inRequest, inStream] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
    two.handle('planted', () => {
      faultLater(inRequest)
      return new Promise(() => {})
    })
    two.handle('sound', async () => 'answered')
    const served = Promise.withResolvers<StreamEnd | null>()
    two.serve('planted', async () => (stream) => {
      stream.listen({ onText: () => faultLater(inStream), onEnd: served.resolve })
    })
    await assert.rejects(one.request('two', 'planted', {}), { code: 'internal_error' })
    assert.equal(await inRequest.promise, true)
    assert.equal(await one.request('two', 'sound', {}), 'answered')

    const told: unknown[] = []
    const stream = await runContained(
      (error) => told.push(error),
      () => one.connect('two', 'planted', {}),
    )
    const ended = Promise.withResolvers<StreamEnd | null>()
    const listening: unknown[] = []
    stream.listen({
      onEnd(end) {
        listening.push(currentOwner())
        ended.resolve(end)
      },
    })
    await stream.send('now')
    assert.equal(await inStream.promise, true)
    assert.deepEqual([await ended.promise, await served.promise], [null, null])
    await until('the link of the caller had no owner', () => listening.length === 1)
    assert.deepEqual([listening, told], [[undefined], []])
    assert.equal(await one.request('two', 'sound', {}), 'answered')
  })
