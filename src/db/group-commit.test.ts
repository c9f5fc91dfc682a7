// Group commit: what writes in a group share, and what they do not.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { atEnd } from '../../test/app.ts'
import { newDataDir } from '../../test/service.ts'
import { Mutex } from '../base/concurrency/mutex.ts'
import { GroupCommit } from './group-commit.ts'

function open() {
  const path = join(newDataDir(), 'group.db')
  const file = new DatabaseSync(path)
  file.exec('pragma journal_mode = wal; pragma foreign_keys = on')
  file.exec('create table rows (id integer primary key, parent integer references rows deferrable initially deferred)')
  const other = new DatabaseSync(path, { readOnly: true })
  atEnd(() => {
    other.close()
    file.close()
  })
  const ids = (on: DatabaseSync) =>
    on
      .prepare('select id from rows order by rowid')
      .all()
      .map(({ id }) => id)
  const add = (id: number, or = 'abort') => file.exec(`insert or ${or} into rows (id) values (${id})`)
  return {
    file,
    add,
    group: new GroupCommit(file, new Mutex(), Number.POSITIVE_INFINITY),
    stored: () => ids(other),
    seen: () => ids(file),
  }
}

const outcomes = async (writes: Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((result) =>
    result.status === 'fulfilled' ? result.value : String(result.reason.message),
  )

test('writes of one turn run in order and are committed together, each with its own result', async () => {
  const { group, add, stored, seen } = open()
  const atHook: unknown[] = []
  const order: number[] = []
  const writes = Array.from({ length: 300 }, (_, i) =>
    group.transaction(async (hooks) => {
      order.push(i)
      add(i + 1)
      await null
      if (i === 0) hooks.push(() => atHook.push(stored().length))
      assert.equal(seen().length, i + 1)
      return i
    }),
  )
  assert.deepEqual(stored(), [])
  const [first] = await Promise.all([writes[0], writes[1]])
  assert.equal(first, 0)
  assert.deepEqual(
    await Promise.all(writes),
    Array.from({ length: 300 }, (_, i) => i),
  )
  assert.deepEqual(
    order,
    Array.from({ length: 300 }, (_, i) => i),
  )
  assert.ok(Number(atHook[0]) > 1, 'the first write was committed alone')
  assert.equal(stored().length, 300)
})

test('a write is on disk for others when its caller learns of it', async () => {
  const { group, add, stored } = open()
  for (let id = 1; id <= 20; id++) {
    await (id % 2 ? group.transaction(async () => add(id)) : group.statement(() => add(id)))
    assert.equal(stored().length, id)
  }
})

test('a write that fails is undone alone and gets its own error', async () => {
  const { group, add, stored } = open()
  const told: string[] = []
  const writes = [
    group.transaction(async () => add(1)),
    group.transaction(async (hooks) => {
      add(2)
      hooks.push(() => told.push('failed'))
      await null
      throw new Error('changed my mind')
    }),
    group.statement(() => add(1)),
    group.transaction(async () => {
      add(3)
      add(1)
    }),
    group.transaction(async (hooks) => {
      add(4)
      hooks.push(() => told.push('stored'))
    }),
  ]
  const unique = 'UNIQUE constraint failed: rows.id'
  assert.deepEqual(await outcomes(writes), [undefined, 'changed my mind', unique, unique, undefined])
  assert.deepEqual(stored(), [1, 4])
  assert.deepEqual(told, ['stored'])
})

test('when the commit fails every write of the group gets its error, and the next group works', async () => {
  const { group, file, add, stored } = open()
  const writes = [
    group.transaction(async () => add(1)),
    group.statement(() => file.exec('insert into rows (id, parent) values (2, 99)')), // checked at the commit
  ]
  const foreignKey = 'FOREIGN KEY constraint failed'
  assert.deepEqual(await outcomes(writes), [foreignKey, foreignKey])
  assert.deepEqual(stored(), [])
  await group.statement(() => add(3))
  assert.deepEqual(stored(), [3])
})

test('when SQLite rolls the whole group back, earlier writes get the error and later ones are stored', async () => {
  const { group, add, stored } = open()
  await group.statement(() => add(1))
  const writes = [
    group.transaction(async () => add(2)),
    group.transaction(async () => add(1, 'rollback')),
    group.transaction(async () => add(3)),
  ]
  const unique = 'UNIQUE constraint failed: rows.id'
  assert.deepEqual(await outcomes(writes), [unique, unique, undefined])
  assert.deepEqual(stored(), [1, 3])
})

test('a write that waits for something else is not interleaved with others', async () => {
  const { group, add, seen } = open()
  const log: string[] = []
  const slow = (id: number) =>
    group.transaction(async () => {
      log.push(`${id} begins`)
      add(id)
      await turn()
      await turn()
      assert.equal(seen().at(-1), id)
      log.push(`${id} ends`)
    })
  const first = slow(1)
  const second = slow(2)
  await turn()
  await Promise.all([first, second, slow(3)])
  assert.deepEqual(log, ['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
})

test('a write runs in the async context of its caller; drain waits for all', async () => {
  const { group, add, stored } = open()
  const caller = new AsyncLocalStorage<number>()
  const writes = [1, 2, 3].map((id) =>
    caller.run(id, () =>
      group.transaction(async () => {
        await turn()
        add(id)
        return caller.getStore()
      }),
    ),
  )
  await group.drain()
  assert.deepEqual(stored(), [1, 2, 3])
  assert.deepEqual(await Promise.all(writes), [1, 2, 3])
})
